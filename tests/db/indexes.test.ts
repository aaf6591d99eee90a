import { describe, expect, it } from "vitest";
import { ensureIndexes, INDEXES, verifyIndexes } from "#db/indexes.ts";
import { openTestStore } from "#tests/support/store.ts";

const { mongo } = await openTestStore();
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
