import { EventEmitter } from "node:events";
import { type MongoClient, ObjectId } from "mongodb";
import { expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { watchPrimary } from "#db/core/driver/primary.ts";
import { UNCONFIRMED } from "#db/core/driver/write-concern.ts";
import { saveFile } from "#db/files/files.server.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

/** Reports servers as the driver does. */
function givenServers() {
  const client = new EventEmitter();
  const primary = watchPrimary(client as unknown as MongoClient);
  const tell = (type: string, electionId = new ObjectId()) =>
    client.emit("topologyDescriptionChanged", {
      newDescription: { servers: new Map([["a:1", { address: "a:1", type, electionId }]]) },
    });
  return { primary, tell };
}

it.each([
  ["RSPrimary", true],
  ["Standalone", true],
  ["Mongos", false],
  ["LoadBalancer", false],
])("a %s server keeps the order of all writes: %s", (type, keeps) => {
  const { primary, tell } = givenServers();
  tell(type);

  expect(primary.missingMs()).toBe(0);
  expect(primary.keepsOrder()).toBe(keeps);
});

const store = await openTestStore();

/** The stores, and the write concern of each insert of a save into one of them. */
function watchInserts(db: Db, name: "file_bodies" | "file_versions") {
  const concerns: unknown[] = [];
  const watched = Object.create(db[name], {
    insertOne: {
      value: (doc: never, options?: { writeConcern?: unknown }) => {
        concerns.push(options?.writeConcern);
        return db[name].insertOne(doc, options as never);
      },
    },
  });
  return { db: { ...db, [name]: watched } as Db, concerns };
}

it.each(["file_bodies", "file_versions"] as const)(
  "%s waits for a majority by itself, because the file may be on another shard",
  async (name) => {
    const unsharded = watchInserts(store.db, name);
    await saveFile(unsharded.db, "1", { file_name: `${name}-1.py`, body: "a" }, NOON);
    expect(unsharded.concerns).toEqual([UNCONFIRMED]);

    const { db, concerns } = watchInserts(store.db, name);
    const sharded = { ...db, primary: { ...db.primary, keepsOrder: () => false } };
    await saveFile(sharded, "1", { file_name: `${name}-2.py`, body: "a" }, NOON);

    expect(concerns).toEqual([undefined]);
    expect(await store.db.files.findOne({ user_id: "1", file_name: `${name}-2.py` })).not.toBeNull();
  },
);
