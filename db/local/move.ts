/**
 * `npm run move -- --to mongodb://… [--queue postgres://…]`: moves the embedded library of DATA_DIR to a MongoDB; `--from
 * mongodb://…` moves one into an empty DATA_DIR. People can read during the move, and writing pauses for the last changes. A
 * killed move can be run again and continues. `--cancel` stops a running move and makes the source the active library again.
 */

import { mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Connection, connectMongo, WEAKNESSES } from "#db/client.ts";
import {
  describeConnectionProblem,
  isConnectionProblem,
  toSafeAddress,
} from "#db/core/driver/connection-problems.ts";
import { probeMongo } from "#db/core/open-database.ts";
import { installQueue } from "#db/jobs/queue.server.ts";
import { runCommand } from "#db/local/processes/run-command.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { createLog } from "#platform/log.ts";
import { resolveDataDirectory } from "./data-directory.ts";
import { MoveError } from "./move/move-error.ts";
import { type Moved, moveLibrary } from "./move/move-library.ts";
import { listenForStop, takeMoveLock, takeOverMoveLock } from "./move/move-lock.ts";
import { cancelMove } from "./move/move-state.ts";
import { storeGivenKeys, writeMovedEnv } from "./move/moved-keys.ts";
import { openEmbeddedStore } from "./open-store.ts";

const USAGE =
  "Say where to: npm run move -- --to mongodb://… [--queue postgres://…], or from where: --from mongodb://…";
const say = (line: string) => console.log(line);
const dataDir = resolveDataDirectory(process.env);
const stop = listenForStop();

await runCommand(async () => {
  const { to, from, queue, cancel } = readArguments();
  // A server whose library is moved back still has the address of the source.
  if (process.env.MONGODB_URI && process.env.MONGODB_URI !== from)
    throw new MoveError(
      "MONGODB_URI is set. This command needs the embedded documents of DATA_DIR: run it without.",
    );
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = cancel ? await takeOverMoveLock(dataDir, say) : takeMoveLock(dataDir);
  try {
    if (cancel) await (from ? withServer(from, cancelAt) : withEmbedded(cancelAt));
    else if (to)
      await withEmbedded((source, isShared) =>
        // Nobody writes to an engine that only this command uses.
        withServer(to, (target) =>
          moveToServer({ source, target, settleMs: isShared ? undefined : 0 }, to, queue),
        ),
      );
    else if (from)
      await withServer(from, (source) => withEmbedded((target) => moveIntoDataDirectory(source, target)));
  } catch (error) {
    throw stop.aborted ? stop.reason : error;
  } finally {
    lock.release();
  }
});

function readArguments() {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { to: text, from: text, queue: text, cancel: { type: "boolean", default: false } },
  });
  const isClear = values.cancel ? !values.to : Boolean(values.to) !== Boolean(values.from);
  if (!isClear || (values.queue && !values.to)) throw new MoveError(USAGE);
  return values;
}

async function withServer(uri: string, use: (connection: Connection) => Promise<void>): Promise<void> {
  await probeMongo(uri).catch((error) => {
    throw isConnectionProblem(error)
      ? new MoveError(describeConnectionProblem(error, "MongoDB", uri))
      : error;
  });
  const connection = await connectMongo(uri, { appName: "codeshelf-move" });
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}

/** Opens the engine of DATA_DIR, running or not. */
async function withEmbedded(
  use: (connection: Connection, isShared: boolean) => Promise<void>,
): Promise<void> {
  const store = await openEmbeddedStore();
  try {
    await withServer(store.uri, (connection) => use(connection, store.isShared));
  } finally {
    await store.close();
  }
}

type MoveEnds = { source: Connection; target: Connection; settleMs?: number };

async function moveToServer(ends: MoveEnds, to: string, queue?: string): Promise<void> {
  const weakness = await ends.target.findWeakness();
  if (weakness) say(WEAKNESSES[weakness]);
  if (queue)
    await installQueue({ databaseUrl: queue, log: createLog({ process: "release", level: "warn" }) });
  const addresses = { mongodbUri: to, databaseUrl: queue };
  let file = "";
  const beforeEnd = async () => {
    file = await writeMovedEnv(dataDir, process.env, addresses);
  };
  printResult(await moveLibrary({ ...ends, movedTo: toSafeAddress(to), say, beforeEnd, stop }));
  say(`Moved to ${toSafeAddress(to)}. Nothing is saved here any more.`);
  say(
    `Stop this server and start the new one with the variables in ${file}: sessions, tokens, shares and devices go on with these keys.`,
  );
}

async function moveIntoDataDirectory(source: Connection, target: Connection): Promise<void> {
  let missing: string[] = [];
  const beforeEnd = async () => {
    missing = storeGivenKeys(dataDir, process.env);
  };
  printResult(await moveLibrary({ source, target, movedTo: dataDir, say, beforeEnd, stop }));
  if (missing.length > 0)
    say(
      `Give the server the same ${missing.join(", ")} as before: neither given to this command nor kept in DATA_DIR.`,
    );
  say(`Moved into ${dataDir}. Nothing is saved at the old place any more: stop it, and run npm start here.`);
}

function printResult({ comparisons, pausedMs }: Moved): void {
  say("The same in both places, by count and digest:");
  for (const { collection, source } of comparisons)
    if (source.documents > 0) say(`${String(source.documents).padStart(9)} ${source.digest} ${collection}`);
  say(`Writing was paused for ${(pausedMs / SECOND_MS).toFixed(1)} s.`);
}

async function cancelAt(source: Connection): Promise<void> {
  const move = await cancelMove(source);
  if (!move) throw new MoveError("No move of this library was begun.");
  say("Writing goes on here.");
  if (move.moved_to) say(`What was saved at ${move.moved_to} since the move is not here.`);
}
