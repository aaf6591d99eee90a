/**
 * `npm run mongo`: prints the address of the document engine of DATA_DIR, for mongosh or a script. A running engine is used; otherwise one
 * is started until Ctrl-C. With `--tcp [--port <port>]` it listens on 127.0.0.1, for programs that cannot use its socket.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { MongoClient } from "mongodb";
import { openShutdown } from "#platform/processes/shutdown.ts";
import { readError } from "#platform/read-error.ts";
import { DataDirectoryInUse, lockDataDirectory, resolveDataDirectory } from "./data-directory.ts";
import { findRunningEngine, startEngine } from "./engine.ts";

const { values: options } = parseArgs({ options: { tcp: { type: "boolean" }, port: { type: "string" } } });

async function readTcpAddress(uri: string): Promise<string> {
  if (!options.tcp && options.port === undefined) return uri;
  const client = await MongoClient.connect(uri);
  try {
    return (await client.db("admin").command({ codeshelfListen: Number(options.port ?? 0) })).uri;
  } finally {
    await client.close();
  }
}

async function printAddress(engineUri: string) {
  const uri = await readTcpAddress(engineUri);
  console.log(uri);
  console.log(`Look inside with: mongosh '${uri}'`);
}

async function serve(directory: string) {
  const lock = lockDataDirectory(directory);
  const shutdown = openShutdown({
    deadlineMs: 20_000,
    log: { info: () => {}, error: (event, fields) => console.error(event, fields ?? "") },
  });
  shutdown.defer("data directory", () => lock.release());
  const engine = await startEngine({ directory: join(directory, "engine"), log: console.error });
  shutdown.defer("engine", () => engine.stop());
  await printAddress(engine.uri);
  console.log("The engine runs until Ctrl-C.");
  void engine.exited.then(() => {
    if (!shutdown.signal.aborted) console.error("The engine has ended.");
    shutdown.begin("engine_ended", 1);
  });
}

const directory = resolveDataDirectory(process.env);
try {
  const running = await findRunningEngine(join(directory, "engine"));
  if (running) await printAddress(running.uri);
  else await serve(directory);
} catch (error) {
  console.error(readError(error).message);
  if (error instanceof DataDirectoryInUse)
    console.error("It has no document engine running (MONGODB_URI is set there, or it is still starting).");
  process.exit(1);
}
