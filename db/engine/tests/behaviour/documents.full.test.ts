import { MongoBulkWriteError, ObjectId } from "mongodb";
import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

describe("inserting", () => {
  test("acknowledges one document with its _id and keeps it", async () => {
    const shelf = given.emptyCollection<{ _id: string; lines: number }>();

    const result = await shelf.insertOne({ _id: "main.ts", lines: 3 });

    expect(result).toEqual({ acknowledged: true, insertedId: "main.ts" });
    expect(await shelf.find().toArray()).toEqual([{ _id: "main.ts", lines: 3 }]);
  });

  test("gives a document without _id one of its own when the client sends none", async () => {
    const shelf = given.emptyCollection();

    await given.db.command({ insert: shelf.collectionName, documents: [{ title: "a" }] });

    const [found] = await shelf.find().toArray();
    expect(found?._id).toBeInstanceOf(ObjectId);
    expect(Object.keys(found ?? {})).toEqual(["_id", "title"]);
  });

  test("moves _id to the front of the stored document", async () => {
    const shelf = given.emptyCollection();

    await given.db.command({ insert: shelf.collectionName, documents: [{ title: "a", _id: 1, size: 2 }] });

    const [found] = await shelf.find().toArray();
    expect(Object.keys(found ?? {})).toEqual(["_id", "title", "size"]);
  });

  test("refuses an array as _id", async () => {
    const shelf = given.emptyCollection<{ _id: unknown }>();

    const error = await failureOf(shelf.insertOne({ _id: [1, 2] } as never));

    expect(error).toMatchObject({
      code: 53,
      message: expect.stringContaining("'_id' value cannot be of type"),
    });
    expect(await shelf.countDocuments()).toBe(0);
  });

  test.each([
    ["null", null],
    ["a document", { owner: "ada", n: 1 }],
    ["a boolean", false],
    ["a date", new Date(0)],
    ["an empty string", ""],
  ])("takes %s as _id and finds it again", async (_what, _id) => {
    const shelf = given.emptyCollection<{ _id: unknown }>();

    await given.db.command({ insert: shelf.collectionName, documents: [{ _id }] });

    expect(await shelf.findOne({ _id } as never)).toEqual({ _id });
  });

  test("answers a second document with the same _id with 11000, the key and its value", async () => {
    const shelf = await given.collection([{ _id: 7 }]);

    const error = await failureOf(shelf.insertOne({ _id: 7 }));

    expect(error).toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 7 } });
    expect(await shelf.countDocuments()).toBe(1);
  });
});

describe("a batch", () => {
  const batch = [{ _id: 1 }, { _id: 2 }, { _id: 1 }, { _id: 3 }, { _id: 2 }];

  test("that is ordered stops at the first failure", async () => {
    const shelf = given.emptyCollection<{ _id: number }>();

    const error = await failureOf(shelf.insertMany(batch, { ordered: true }));

    expect(error).toBeInstanceOf(MongoBulkWriteError);
    expect(error).toMatchObject({ code: 11000, insertedCount: 2 });
    expect([error.writeErrors].flat().map(({ index }) => index)).toEqual([2]);
    expect(await shelf.find().sort({ _id: 1 }).toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
  });

  test("that is unordered does all it can and names every failure", async () => {
    const shelf = given.emptyCollection<{ _id: number }>();

    const error = await failureOf(shelf.insertMany(batch, { ordered: false }));

    expect(error).toMatchObject({ code: 11000, insertedCount: 3 });
    expect([error.writeErrors].flat().map(({ index }) => index)).toEqual([2, 4]);
    expect(await shelf.countDocuments()).toBe(3);
  });

  test("with a malformed statement is an error of the command and runs none of them", async () => {
    const shelf = await given.collection([{ _id: 1, n: 1 }]);
    const good = { q: { _id: 1 }, u: { $set: { n: 2 } } };

    const unknown = await failureOf(
      given.db.command({ update: shelf.collectionName, updates: [good, { ...good, shiny: true }] }),
    );
    const missing = await failureOf(
      given.db.command({ update: shelf.collectionName, updates: [good, { q: {} }] }),
    );
    const limit = await failureOf(
      given.db.command({
        delete: shelf.collectionName,
        deletes: [
          { q: {}, limit: 1 },
          { q: {}, limit: 5 },
        ],
      }),
    );

    expect([unknown.code, missing.code, limit.code]).toEqual([40415, 40414, 9]);
    expect(await shelf.find().toArray()).toEqual([{ _id: 1, n: 1 }]);
  });

  test("with a statement that fails when it runs keeps what ran before it", async () => {
    const shelf = await given.collection([{ _id: 1, n: 1 }]);
    const update = shelf.collectionName;

    const reply = await given.db.command({
      update,
      updates: [
        { q: { _id: 1 }, u: { $set: { n: 2 } } },
        { q: { _id: 1 }, u: { $frobnicate: { n: 3 } } },
        { q: { _id: 1 }, u: { $set: { n: 4 } } },
      ],
    });

    expect(reply).toMatchObject({ ok: 1, n: 1, nModified: 1, writeErrors: [{ index: 1, code: 9 }] });
    expect(await shelf.find().toArray()).toEqual([{ _id: 1, n: 2 }]);
  });

  test("of mixed writes reports what each kind did", async () => {
    const shelf = await given.collection<{ _id: number; n: number }>([
      { _id: 1, n: 1 },
      { _id: 2, n: 1 },
      { _id: 3, n: 1 },
    ]);

    const result = await shelf.bulkWrite([
      { insertOne: { document: { _id: 4, n: 1 } } },
      { updateOne: { filter: { _id: 1 }, update: { $set: { n: 2 } } } },
      { updateMany: { filter: {}, update: { $set: { n: 2 } } } },
      { replaceOne: { filter: { _id: 9 }, replacement: { n: 9 }, upsert: true } },
      { deleteOne: { filter: { _id: 2 } } },
      { deleteMany: { filter: { n: 9 } } },
    ]);

    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 5,
      modifiedCount: 4,
      upsertedCount: 1,
      deletedCount: 2,
      upsertedIds: { 3: 9 },
    });
    expect(await shelf.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, n: 2 },
      { _id: 3, n: 2 },
      { _id: 4, n: 2 },
    ]);
  });
});

describe("updating and deleting", () => {
  test("one document counts what matched and what changed", async () => {
    const shelf = await given.collection([
      { _id: 1, title: "a" },
      { _id: 2, title: "a" },
    ]);

    const changed = await shelf.updateOne({ title: "a" }, { $set: { title: "b" } });
    const unchanged = await shelf.updateOne({ title: "b" }, { $set: { title: "b" } });
    const missed = await shelf.updateOne({ title: "z" }, { $set: { title: "b" } });

    expect(changed).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 0, upsertedId: null });
    expect(unchanged).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
    expect(missed).toMatchObject({ matchedCount: 0, modifiedCount: 0 });
  });

  test("deleting one removes one, deleting many removes all that match", async () => {
    const shelf = await given.collection([{ n: 1 }, { n: 1 }, { n: 1 }, { n: 2 }]);

    expect(await shelf.deleteOne({ n: 1 })).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(await shelf.deleteMany({ n: 1 })).toEqual({ acknowledged: true, deletedCount: 2 });
    expect(await shelf.deleteMany({ n: 1 })).toEqual({ acknowledged: true, deletedCount: 0 });

    expect(await shelf.countDocuments()).toBe(1);
  });

  test("writing to a collection that does not exist changes nothing and creates nothing", async () => {
    const shelf = given.emptyCollection();

    expect(await shelf.updateOne({}, { $set: { a: 1 } })).toMatchObject({ matchedCount: 0 });
    expect(await shelf.deleteMany({})).toMatchObject({ deletedCount: 0 });

    expect(await shelf.find().toArray()).toEqual([]);
    expect(await given.db.listCollections({ name: shelf.collectionName }).toArray()).toEqual([]);
  });
});
