import { describe, expect, test } from "vitest";
import { needsVersion } from "#tests/support/databases/server-needs.ts";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

describe("a pipeline over no collection", () => {
  test("lists the sessions in use", async () => {
    const session = given.client.startSession();

    await given.db.command({ ping: 1 }, { session });
    const listed = await given.client
      .db("admin")
      .aggregate([{ $listLocalSessions: {} }])
      .toArray();

    expect(listed.map(({ _id }) => _id.id.toString("hex"))).toContain(session.id?.id.toString("hex"));
    expect(listed[0]?.lastUse).toEqual(expect.any(Date));
    await session.endSession();
  });

  test("needs a stage that brings documents along", async () => {
    const error = await failureOf(given.db.aggregate([{ $match: {} }]).toArray());

    expect(error.code).toBe(73);
  });

  test("cannot begin in the middle of another", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    const first = await failureOf(shelf.aggregate([{ $listLocalSessions: {} }]).toArray());
    const second = await failureOf(shelf.aggregate([{ $limit: 1 }, { $listLocalSessions: {} }]).toArray());

    expect([first.code, second.code]).toEqual([73, 40602]);
  });
});

describe("a pipeline over documents of its own", () => {
  needsVersion("5.1");

  test("starts from the documents it brings along", async () => {
    const found = await given.db
      .aggregate([{ $documents: [{ n: 1 }, { n: { $add: [1, 1] } }] }, { $match: { n: { $gt: 1 } } }])
      .toArray();

    expect(found).toEqual([{ n: 2 }]);
  });

  test("may write what it brings along", async () => {
    const into = given.emptyCollection<{ _id: number }>();

    await given.db.aggregate([{ $documents: [{ _id: 1 }] }, { $merge: into.collectionName }]).toArray();

    expect(await into.find().toArray()).toEqual([{ _id: 1 }]);
  });
});
