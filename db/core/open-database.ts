import { setTimeout as pause } from "node:timers/promises";
import { MongoClient } from "mongodb";
import {
  type DatabaseName,
  describeConnectionProblem,
  findConnectionProblem,
  isConnectionProblem,
} from "#db/core/driver/connection-problems.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";

type Database = { name: DatabaseName; uri: string; log: Log };

const FIRST_ANSWER_MS = 2_500;
const PAUSES_MS = [SECOND_MS, 2 * SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS];

/** Opens a database. While it cannot be opened, one log line gives the reason, and opening is repeated until the process stops. */
export async function openWhenReady<Opened>(
  { signal, ...database }: Database & { signal: AbortSignal },
  open: () => Promise<Opened>,
): Promise<Opened> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isConnectionProblem(error)) throw error;
      logProblem(database, error);
    }
    await pause(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)], undefined, { signal }).catch(() => {});
    // The process is about to end; nothing may continue without its database.
    if (signal.aborted) await new Promise<never>(() => {});
  }
}

/** For a step that needs its databases: one log line gives the reason, and the process ends with 1. */
export async function openOrExit<Opened>(database: Database, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    if (!isConnectionProblem(error)) throw error;
    logProblem(database, error);
    process.exit(1);
  }
}

function logProblem({ name, uri, log }: Database, error: unknown): void {
  log.error("database_unavailable", {
    database: name,
    problem: findConnectionProblem(error),
    message: describeConnectionProblem(error, name, uri),
  });
}

/** Checks that the server answers, with a shorter limit than the client that waits for elections. */
export async function probeMongo(uri: string): Promise<void> {
  const options = { serverSelectionTimeoutMS: FIRST_ANSWER_MS, connectTimeoutMS: FIRST_ANSWER_MS };
  const client = new MongoClient(uri, options);
  try {
    await client.connect();
  } finally {
    await client.close();
  }
}
