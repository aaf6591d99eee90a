/** An engine with fail points, an undisturbed connection to it and one that can be disturbed. */

import { type Document, MongoClient } from "mongodb";
import { afterAll } from "vitest";
import { connectMongo, type Db, type Stores } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { required } from "#domain/required.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { type Halting, makeHalting } from "./halting.ts";
import { type SilentProxy, startSilentProxy, WRITE_COMMANDS } from "./silent-proxy.ts";
import { listCollections } from "./snapshots.ts";

export type FaultServers = {
  /** Undisturbed, for set-up and inspection. */
  db: Db;
  struck: Db;
  /** Events of verbs that used `struck`. */
  emitted: string[];
  /** The collections that either connection used. */
  used: Set<CollectionName>;
  halting: Halting;
  proxy: SilentProxy;
  /** Sets the fail point for writes of `struck`, and returns how often it has struck so far. */
  configure(mode: unknown, data?: Document): Promise<number>;
};

export async function openFaultServers(): Promise<FaultServers> {
  const engine = await startEngine({ testCommands: true });
  const proxy = await startSilentProxy(engine.directory, decodeURIComponent(new URL(engine.uri).hostname));
  // The driver looks for a lost server at once, not after half a second.
  const quick = "&minHeartbeatFrequencyMS=1";
  const calm = await connectMongo(engine.uri, { appName: "calm", databaseName: "bench" });
  const shaken = await connectMongo(`${proxy.uri}${quick}`, { appName: "shaken", databaseName: "bench" });
  const admin = await MongoClient.connect(engine.uri);
  await ensureIndexes(calm.collection);
  await stopExpiring(calm.collections);
  afterAll(async () => {
    await Promise.all([calm.close(), shaken.close(), admin.close()]);
    await proxy.close();
    await engine.stop();
  });
  const emitted: string[] = [];
  const emit = (name: string) => void emitted.push(name);
  // As in the web process, files are indexed after the answer, by a queue that has a row of its own.
  const indexQueue = { add: () => {}, has: () => false, close: async () => {} };
  const halting = makeHalting({ ...shaken.collections, emit, indexQueue });
  const used = new Set<CollectionName>();
  return {
    db: recordUse({ ...calm.collections, emit: () => {} }, used),
    struck: recordUse(halting.db, used),
    ...{ emitted, used, halting, proxy },
    configure: async (mode, data = {}) => {
      const aim = { failCommands: WRITE_COMMANDS, appName: "shaken", ...data };
      const point = { configureFailPoint: "failCommand", mode, data: aim };
      return (await admin.db("admin").command(point)).count;
    },
  };
}

function recordUse(db: Db, used: Set<CollectionName>): Db {
  const names = new Set<string>(listCollections(db));
  return new Proxy(db, {
    get(target, name: string) {
      if (names.has(name)) used.add(name as CollectionName);
      return Reflect.get(target, name);
    },
  });
}

/** The clock of these tests stands still while the store's clock moves, so expiry indexes are removed. */
async function stopExpiring(collections: Stores): Promise<void> {
  for (const name of listCollections(collections)) {
    // A collection without indexes is created by its first document.
    const indexes = await collections[name].indexes().catch(() => []);
    for (const index of indexes)
      if (index.expireAfterSeconds !== undefined) await collections[name].dropIndex(required(index.name));
  }
}
