import type { Document, Filter } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

const documents = Array.from({ length: 500 }, (_, n) => ({
  _id: n,
  owner: `u${n % 10}`,
  at: n,
  free: n % 7,
  tags: [`t${n % 4}`],
}));

let name: string;

beforeAll(async () => {
  const shelf = await given.collection(documents);
  await shelf.createIndexes([{ key: { owner: 1, at: -1 } }, { key: { tags: 1 } }]);
  name = shelf.collectionName;
});

/** Every stage and index named anywhere in the winning plan. */
function named(plan: unknown, key: "stage" | "indexName"): string[] {
  if (typeof plan !== "object" || plan === null) return [];
  const own = (plan as Document)[key];
  const inner = Object.values(plan).flatMap((value) => named(value, key));
  return typeof own === "string" ? [own, ...inner] : inner;
}

const stagesOf = (explained: Document) => named(explained.queryPlanner.winningPlan, "stage");
const indexesOf = (explained: Document) => named(explained.queryPlanner.winningPlan, "indexName");
const explain = (filter: Filter<Document>, sort?: Document) => {
  const cursor = given.db.collection(name).find(filter);
  return (sort ? cursor.sort(sort) : cursor).explain("executionStats");
};

describe("a query", () => {
  test.each<[string, Filter<Document>, string]>([
    ["an equality on the first field", { owner: "u3" }, "owner_1_at_-1"],
    ["equality and range", { owner: "u3", at: { $gt: 400 } }, "owner_1_at_-1"],
    ["a list of values", { owner: { $in: ["u1", "u2"] } }, "owner_1_at_-1"],
    ["an element of an array", { tags: "t1" }, "tags_1"],
  ])("by %s goes through the index", async (_what, filter, index) => {
    const explained = await explain(filter);

    expect(stagesOf(explained)).toContain("IXSCAN");
    expect(stagesOf(explained)).not.toContain("COLLSCAN");
    expect(indexesOf(explained)).toContain(index);
    expect(explained.executionStats.nReturned).toBeGreaterThan(0);
    expect(explained.executionStats.totalDocsExamined).toBe(explained.executionStats.nReturned);
  });

  test.each<[string, Filter<Document>]>([
    ["a field without an index", { free: 3 }],
    ["the second field of an index alone", { at: 3 }],
    ["nothing", {}],
  ])("by %s scans the collection", async (_what, filter) => {
    const explained = await explain(filter);

    expect(stagesOf(explained)).toContain("COLLSCAN");
    expect(explained.executionStats.totalDocsExamined).toBe(500);
  });

  test("sorted as an index is needs no sorting, otherwise it is sorted", async () => {
    const byIndex = await explain({ owner: "u3" }, { at: -1 });
    const backwards = await explain({ owner: "u3" }, { at: 1 });
    const sorted = await explain({ owner: "u3" }, { free: 1 });

    expect(stagesOf(byIndex)).not.toContain("SORT");
    expect(stagesOf(backwards)).not.toContain("SORT");
    expect(stagesOf(sorted)).toContain("SORT");
  });

  test("by keyset page reads no more documents than it returns", async () => {
    const cursor = given.db
      .collection(name)
      .find({ owner: "u3", at: { $lt: 300 } })
      .sort({ at: -1 })
      .limit(20);

    const { executionStats } = await cursor.explain("executionStats");

    expect(executionStats.nReturned).toBe(20);
    expect(executionStats.totalDocsExamined).toBe(20);
  });

  test("explained by the planner alone is not run", async () => {
    const explained = await given.db.collection(name).find({ owner: "u3" }).explain("queryPlanner");

    expect(stagesOf(explained)).toContain("IXSCAN");
    expect(explained.executionStats).toBeUndefined();
  });

  test("that counts one stretch of keys examines no document", async () => {
    const shelf = given.db.collection(name);
    const counted = await shelf.countDocuments({ owner: "u3" });
    const byPipeline = await shelf
      .aggregate([{ $match: { owner: "u3" } }, { $group: { _id: 1, n: { $sum: 1 } } }])
      .explain("executionStats");

    expect(counted).toBeGreaterThan(0);
    const { executionStats } = byPipeline.stages?.[0]?.$cursor ?? byPipeline;
    expect(executionStats.totalDocsExamined).toBe(0);
    expect(executionStats.totalKeysExamined).toBeGreaterThanOrEqual(counted);
  });
});

describe("a hint", () => {
  test("by name or key makes the query use that index", async () => {
    const shelf = given.db.collection(name);

    const byName = await shelf.find({ free: 3 }).hint("tags_1").explain("queryPlanner");
    const byKey = await shelf.find({ free: 3 }).hint({ owner: 1, at: -1 }).explain("queryPlanner");

    expect(indexesOf(byName)).toEqual(["tags_1"]);
    expect(indexesOf(byKey)).toEqual(["owner_1_at_-1"]);
  });

  test("gives the same documents as no hint", async () => {
    const shelf = given.db.collection(name);
    const filter = { free: 3, owner: "u5" };

    const plain = await shelf.find(filter).sort({ _id: 1 }).toArray();
    const hinted = await shelf.find(filter).sort({ _id: 1 }).hint("tags_1").toArray();

    expect(plain.length).toBeGreaterThan(0);
    expect(hinted).toEqual(plain);
  });

  test("to an index that does not exist is refused", async () => {
    const shelf = given.db.collection(name);
    const hint = { nothing: 1 };

    const errors = await Promise.all([
      failureOf(shelf.find({}).hint(hint).toArray()),
      failureOf(shelf.countDocuments({ owner: "u1" }, { hint })),
    ]);

    expect(errors.map(({ code }) => code)).toEqual([2, 2]);
  });
});
