/** The product's own stores on a database of the running test file, with indexes as released and a clock that stands still. */

import { afterAll } from "vitest";
import { type Connection, connectMongo, type Db } from "#db/client.ts";
import type { EventDoc } from "#db/events/documents.ts";
import { createEmitter, type Emitter } from "#db/events/events.server.ts";
import { createLog } from "#platform/log.ts";
import { createMetrics, type Metrics } from "#platform/metrics/metrics.ts";
import { toDatabaseAddress } from "#tests/support/databases/given-mongodb.ts";
import { openIndexedDatabase } from "#tests/support/databases/indexed-database.ts";
import { expectProven } from "#tests/support/events/event-proof.ts";
import { createGiven, type Given } from "#tests/support/given.ts";

/** Far in the future: the store removes expired documents by its own clock, and would remove new ones of a past date. */
export const NOON = new Date("2037-11-14T12:00:00.000Z");

export const afterNoon = (ms: number) => new Date(NOON.getTime() + ms);

/** A clock that only tests move. */
type SetClock = { (): Date; set(moment: Date): void; pass(ms: number): void };

export function standingClock(moment = NOON): SetClock {
  let now = moment;
  const set = (next: Date) => {
    now = next;
  };
  const pass = (ms: number) => set(new Date(now.getTime() + ms));
  return Object.assign(() => now, { set, pass });
}

export type TestStore = {
  /** The address of this database, for another process. */
  uri: string;
  mongo: Connection;
  db: Db;
  clock: SetClock;
  emitter: Emitter;
  metrics: Metrics;
  given: Given;
  emitted: string[];
  /** All stored events of this name so far, oldest first, each checked against the catalogue and its log line. */
  events(name: string): Promise<EventDoc[]>;
};

export async function openTestStore(): Promise<TestStore> {
  const { uri, name } = await openIndexedDatabase();
  const metrics = createMetrics();
  const mongo = await connectMongo(uri, {
    appName: "codeshelf-test",
    databaseName: name,
    timeoutMs: 20_000,
    metrics,
  });
  const clock = standingClock();
  const emitted: string[] = [];
  const log = createLog({ process: "test", level: "debug", write: (line) => emitted.push(line) });
  const emitter = createEmitter({ collections: mongo.collections, log, metrics, clock });
  afterAll(async () => {
    await emitter.close();
    await mongo.close();
  });
  const db = { ...mongo.collections, emit: emitter.emit };
  return {
    uri: toDatabaseAddress(uri, name),
    mongo,
    db,
    given: createGiven(db, clock),
    clock,
    emitter,
    metrics,
    emitted,
    events: async (event) => {
      await emitter.flush();
      const stored = await mongo.collections.events.find({ event }).sort({ _id: 1 }).toArray();
      expectProven(
        stored,
        emitted.filter((line) => JSON.parse(line).event === event),
      );
      return stored;
    },
  };
}
