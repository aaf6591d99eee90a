/**
 * Ends commands on the server when nobody waits for their answer. A socket timeout ends only the waiting, while the server continues the
 * query. The driver (mongodb 7.8) adds `maxTimeMS` itself only if `timeoutMS` is set, which also removes the socket timeout. So it is added
 * here to every command over a connection with a socket timeout. Commands also get the keys of the indexes that they name.
 */
import { createRequire } from "node:module";
import { hintByKey, type IndexTables } from "#db/core/driver/index-hints.ts";

type Command = Record<string, unknown>;
type Prepare = (this: DriverConnection, db: string, command: Command, options: unknown) => unknown;
type DriverConnection = { established: boolean; socketTimeoutMS: number };
type ConnectionModule = { Connection: { prototype: { prepareCommand: Prepare } } };

const { Connection }: ConnectionModule = createRequire(import.meta.url)("mongodb/lib/cmap/connection.js");
const prepare = Connection.prototype.prepareCommand;

/** Time for the answer to travel. */
const TRAVEL_SHARE = 0.1;
const TRAVEL_MAX_MS = 500;

/**
 * Servers refuse a limit on `getMore`, because the limit of its query continues there. The limit of its caller must not end the
 * building of an index. The other commands keep the connection itself alive.
 */
const UNLIMITED: ReadonlySet<string> = new Set([
  "getMore",
  "killCursors",
  "createIndexes",
  "dropIndexes",
  "hello",
  "ismaster",
  "endSessions",
  "saslStart",
  "saslContinue",
  "authenticate",
]);

/** A bit less than the socket's timeout, so that the server's answer arrives first. */
export function toServerTimeLimit(socketTimeoutMs: number): number {
  return Math.ceil(socketTimeoutMs - Math.min(socketTimeoutMs * TRAVEL_SHARE, TRAVEL_MAX_MS));
}

/** Applies to every client of this process, also existing ones. */
export function limitCommandTimeOnServer(indexes: IndexTables): void {
  Connection.prototype.prepareCommand = function (db, command, options) {
    const [name = ""] = Object.keys(command);
    const isLimited = this.established && this.socketTimeoutMS > 0 && !UNLIMITED.has(name);
    const maxTimeMS = command.maxTimeMS ?? toServerTimeLimit(this.socketTimeoutMS);
    const limited = isLimited ? { ...command, maxTimeMS } : command;
    return prepare.call(this, db, hintByKey(indexes, limited), options);
  };
}
