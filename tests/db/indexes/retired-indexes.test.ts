import { expect, it } from "vitest";
import { ensureIndexes, listIndexes, verifyIndexes } from "#db/indexes/index-builds.ts";
import { INDEXES } from "#db/indexes/indexes.ts";
import { dropRetiredIndexes, RETIRED_INDEXES } from "#db/indexes/retired-indexes.ts";
import { required } from "#domain/required.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { openTestStore } from "#tests/support/store.ts";

const { db, mongo } = await openTestStore();

it("retired indexes are dropped by a process that has run for an hour, and those that are wanted stay", async () => {
  const files = mongo.collection("files");
  await files.createIndex({ user_id: 1, deleted_at: 1, language: 1 }, { name: "by_language" });
  await files.createIndex({ description: 1 }, { name: "somebody_elses" });

  expect(await dropRetiredIndexes(db, HOUR_MS - 1)).toEqual([]);
  expect(await dropRetiredIndexes(db, HOUR_MS)).toEqual(["files.by_language"]);
  expect(await dropRetiredIndexes(db, HOUR_MS)).toEqual([]);

  const names = (await listIndexes(files)).map(({ name }) => name);
  expect(names).toContain("somebody_elses");
  expect(names).not.toContain("by_language");
  expect((await verifyIndexes(mongo.collection)).every(({ state }) => state === "present")).toBe(true);
});

it("a release does not make a retired index", async () => {
  await ensureIndexes(mongo.collection);
  const names = (await listIndexes(mongo.collection("files"))).map(({ name }) => name);
  expect(names).toContain("by_creation");
  for (const retired of required(RETIRED_INDEXES.files)) expect(names).not.toContain(retired);
});

it("no wanted index has the name of a retired one", () => {
  for (const [collection, retired] of Object.entries(RETIRED_INDEXES))
    for (const { name } of INDEXES[collection as keyof typeof INDEXES]) expect(retired).not.toContain(name);
});
