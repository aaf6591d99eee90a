import { beforeEach, describe, expect, it } from "vitest";
import type { CollectionName } from "#db/collections.ts";
import { listIndexes } from "#db/core/indexes/index-builds.ts";
import { IndexNotBuilt } from "#db/core/indexes/index-collisions.ts";
import { buildIndex, ensureIndexes, verifyIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { dropRetiredIndexes, RETIRED_INDEXES } from "#db/open/indexes/retired-indexes.ts";
import { required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { needsVersion } from "#tests/support/databases/server-needs.ts";
import { openTestStore } from "#tests/support/store.ts";

const { db, mongo } = await openTestStore();
const states = async () =>
  (await verifyIndexes(mongo.collection)).map(
    ({ collection, index, state }) => `${collection}.${index}: ${state}`,
  );
const wanted = Object.entries(INDEXES).flatMap(([collection, rows]) =>
  rows.map(({ name }) => `${collection}.${name}: present`),
);

describe("the indexes", () => {
  it("are all present after a release, and after another", async () => {
    expect(await states()).toEqual(wanted);
    await ensureIndexes(mongo.collection);
    expect(await states()).toEqual(wanted);
  });

  it("are seen to be missing, and made again", async () => {
    await mongo.collection("files").dropIndex("by_creation");
    expect(await states()).toContain("files.by_creation: missing");
    await ensureIndexes(mongo.collection);
    expect(await states()).toEqual(wanted);
  });

  it("are seen to differ, and replaced", async () => {
    await mongo.collection("events").dropIndex("expiry");
    await mongo.collection("events").createIndex({ timestamp: 1 }, { name: "expiry", expireAfterSeconds: 5 });
    expect(await states()).toContain("events.expiry: different");
    await ensureIndexes(mongo.collection);
    expect(await states()).toEqual(wanted);
  });
});

/** An older installation's index in place of a wanted unique one. */
const FORMER = { name: "living_name", unique: true, partialFilterExpression: { is_pinned: true } } as const;
const files = mongo.collection("files");
const listNames = async () => (await listIndexes(files)).map(({ name }) => name);
const living = (file_name: string) => ({ user_id: "1", file_name, deleted_at: null });

async function givenFormer(): Promise<void> {
  for (const name of await listNames()) if (/^living_name/.test(name)) await files.dropIndex(name);
  await files.createIndex({ user_id: 1, file_name: 1 }, FORMER);
  expect(await states()).toContain("files.living_name: different");
}

describe("a changed unique index", () => {
  // Earlier servers treat two indexes of one key as the same.
  needsVersion("5.0");

  beforeEach(async () => {
    await files.deleteMany({});
    await givenFormer();
  });

  it("is built beside the old one, which goes only then", async () => {
    const order: string[] = [];
    const watched = {
      listIndexes: () => files.listIndexes(),
      aggregate: files.aggregate.bind(files),
      createIndex: async (...given: Parameters<typeof files.createIndex>) => {
        order.push(`create ${given[1]?.name}`);
        return files.createIndex(...given);
      },
      dropIndex: async (name: string) => {
        order.push(`drop ${name}`);
        return files.dropIndex(name);
      },
    };

    await buildIndex(watched as never, { collection: "files", index: "living_name" });

    expect(order).toEqual(["create living_name.2", "drop living_name"]);
    expect(await states()).toEqual(wanted);
    await ensureIndexes(mongo.collection);
    expect(await listNames()).toContain("living_name.2");
  });

  it("holds whatever cuts its building off: the next run drops what is old", async () => {
    const { key, options } = required(INDEXES.files.find(({ name }) => name === "living_name"));
    await files.createIndex(key, { ...options, name: "living_name.2" });
    expect(await listNames()).toContain("living_name");
    expect(await states()).toContain("files.living_name: different");

    await ensureIndexes(mongo.collection);

    expect(await listNames()).not.toContain("living_name");
    expect(await states()).toEqual(wanted);
  });

  it("leaves the old one where documents collide, and names them by their ids alone", async () => {
    const { insertedIds } = await files.insertMany([living("secret-plan.py"), living("secret-plan.py")]);

    const error = await ensureIndexes(mongo.collection).catch((thrown) => thrown);

    expect(error).toBeInstanceOf(IndexNotBuilt);
    expect(error.collisions).toEqual([
      { count: 2, documents: [String(insertedIds[0]), String(insertedIds[1])] },
    ]);
    expect(error.message).toContain(
      "files.living_name cannot be built: documents have the same user_id, folder_id, file_name",
    );
    expect(JSON.stringify(error) + error.message).not.toContain("secret-plan");
    expect(await listNames()).toContain("living_name");
    expect(await listNames()).not.toContain("living_name.2");
  });

  it("is changed back to its first name by the next change", async () => {
    await ensureIndexes(mongo.collection);
    await files.dropIndex("living_name.2");
    await files.createIndex({ user_id: 1, file_name: 1 }, { ...FORMER, name: "living_name.2" });

    await ensureIndexes(mongo.collection);

    expect(await listNames()).toContain("living_name");
    expect(await listNames()).not.toContain("living_name.2");
    expect(await states()).toEqual(wanted);
  });
});

it("the ids of colliding documents that are secrets are told by a digest", async () => {
  const shares = mongo.collection("shares");
  await shares.dropIndex("slot");
  await shares.insertMany(["an-address", "another"].map((_id) => ({ _id, user_id: "1", slot: 0 })) as never);

  const error = await ensureIndexes(mongo.collection).catch((thrown) => thrown);

  expect(error.message).toMatch(/sha256:[0-9a-f]{16} = sha256:[0-9a-f]{16}$/);
  expect(error.message).not.toContain("an-address");
  await shares.deleteMany({});
  await ensureIndexes(mongo.collection);
  expect(await states()).toEqual(wanted);
});

describe("an index that a query names", () => {
  it("is alone with its key in its collection", () => {
    for (const [collection, rows] of Object.entries(INDEXES)) {
      const keys = rows.map(({ key }) => JSON.stringify(key));
      expect([collection, keys.filter((key, i) => keys.indexOf(key) !== i)]).toEqual([collection, []]);
    }
  });

  it("is found after a change gave it a number", async () => {
    const files = mongo.collection("files");
    const { name, key } = required(INDEXES.files.find((row) => row.name === "by_day"));
    await files.dropIndex(name);
    await files.createIndex({ user_id: 1, created_at: 1 }, { name });
    await ensureIndexes(mongo.collection);
    const names = (await listIndexes(files)).map((index) => index.name);
    expect(names).toContain("by_day.2");
    expect(names).not.toContain("by_day");
    expect(await files.find({ user_id: "1" }, { hint: name }).toArray()).toEqual([]);
    const { queryPlanner } = await files.find({ user_id: "1" }, { hint: name }).explain();
    expect(JSON.stringify(queryPlanner)).toContain(Object.keys(key).at(-1));
  });
});

describe("a retired index", () => {
  it("is dropped by a process that has run for an hour, and one of somebody else stays", async () => {
    await files.createIndex({ user_id: 1, deleted_at: 1, language: 1 }, { name: "files_of_tag" });
    await files.createIndex({ description: 1 }, { name: "somebody_elses" });

    expect(await dropRetiredIndexes(db, HOUR_MS - 1)).toEqual([]);
    expect(await dropRetiredIndexes(db, HOUR_MS)).toEqual(["files.files_of_tag"]);
    expect(await dropRetiredIndexes(db, HOUR_MS)).toEqual([]);

    expect(await listNames()).toContain("somebody_elses");
    expect(await listNames()).not.toContain("files_of_tag");
    expect(await states()).toEqual(wanted);
  });

  it("is not made by a release, and no wanted index has its name", async () => {
    await ensureIndexes(mongo.collection);
    for (const [collection, retired] of Object.entries(RETIRED_INDEXES)) {
      const names = (await listIndexes(mongo.collection(collection as CollectionName))).map(
        ({ name }) => name,
      );
      const wanted = INDEXES[collection as CollectionName].map(({ name }) => name);
      expect(wanted.filter((name) => retired.includes(name))).toEqual([]);
      expect(names.length).toBeGreaterThanOrEqual(wanted.length);
      expect(names.filter((name) => retired.includes(name))).toEqual([]);
    }
  });
});
