/**
 * The engine as a process:
 *
 *   node db/engine/main.ts --data <directory> (--socket <path> | --tcp <port>) [--sync full|normal] [--test-commands]
 *
 * Prints `{"ready":true,"uri":"mongodb://…"}` when it accepts connections. Ends on SIGTERM or SIGINT, and when the
 * process that started it is gone. Exits 1 with one line on stderr when it cannot start.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Engine } from "./commands/request.ts";
import { Cursors } from "./cursors.ts";
import { FailPoints } from "./fail-points.ts";
import { createAccount } from "./scram.ts";
import { startServer, toAddress } from "./server.ts";
import { Sessions } from "./sessions.ts";
import { Store } from "./storage/store.ts";

const USER = "codeshelf";

function report(name: string, fields: Record<string, unknown>): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), name, ...fields })}\n`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      socket: { type: "string" },
      tcp: { type: "string" },
      sync: { type: "string", default: "full" },
      "test-commands": { type: "boolean", default: false },
    },
  });
  const { data, socket, tcp, sync } = values;
  if (!data || (socket === undefined) === (tcp === undefined) || (sync !== "full" && sync !== "normal"))
    throw new Error(
      "usage: main.ts --data <directory> (--socket <path> | --tcp <port>) [--sync full|normal] [--test-commands]",
    );
  return { data, socket, tcp, sync: sync as "full" | "normal", testCommands: values["test-commands"] };
}

/** Returns the password for TCP; it is created on first use in a file that only its owner can read. */
function readOrCreatePassword(directory: string): string {
  const file = join(directory, "password");
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}

/** Everyone who can reach the socket may do everything, so its directory is accessible only to its owner. */
function prepareSocketPath(path: string): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  if (process.getuid && statSync(directory).uid !== process.getuid())
    throw new Error(`${directory} belongs to another user`);
  rmSync(path, { force: true });
}

async function main(): Promise<void> {
  const options = readOptions();
  const store = new Store({ directory: options.data, sync: options.sync });
  const engine: Engine = {
    store,
    cursors: new Cursors(),
    sessions: new Sessions(store),
    address: "",
    account: undefined,
    openTcp: async (port) => (tcpUri ??= await openTcp(port)),
    connections: { current: 0, total: 0 },
    counters: new Map(),
    failPoints: options.testCommands ? new FailPoints() : undefined,
  };
  const running = startServer(engine, report);
  let tcpUri: string | undefined;
  const openTcp = async (port: number): Promise<string> => {
    const password = readOrCreatePassword(options.data);
    engine.account ??= createAccount(USER, password);
    const address = toAddress(await running.listen({ host: "127.0.0.1", port }));
    engine.address ||= address;
    return `mongodb://${USER}:${password}@${address}/?authSource=admin&directConnection=true`;
  };
  const openSocket = async (path: string): Promise<string> => {
    prepareSocketPath(path);
    engine.address = toAddress(await running.listen({ path }));
    return `mongodb://${encodeURIComponent(path)}/?directConnection=true`;
  };
  const uri = options.socket ? await openSocket(options.socket) : await engine.openTcp(Number(options.tcp));
  const stop = async (): Promise<void> => {
    await running.stop();
    store.close();
    process.exit(0);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  process.once("disconnect", stop);
  process.stdout.write(`${JSON.stringify({ ready: true, uri })}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`The document engine cannot start: ${error.message}\n`);
  process.exit(1);
});
