import type { Collection, Document } from "mongodb";
import { describe, expect, test } from "vitest";
import { itemAt } from "#domain/required.ts";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

type File = Document & { _id: number };

const files: File[] = [
  { _id: 1, owner: "ada", lines: 10 },
  { _id: 2, owner: "bob", lines: 20 },
];

const all = (collection: Collection<File>) => collection.find({}, { sort: { _id: 1 } }).toArray();

function run(shelf: Collection<File>, ...stages: Document[]): Promise<Document[]> {
  return shelf.aggregate(stages).toArray();
}

describe("$out", () => {
  test("makes a collection of the results and answers nothing", async () => {
    const shelf = await given.collection(files);
    const copy = given.emptyCollection<File>();

    const reply = await given.db.command({
      aggregate: shelf.collectionName,
      pipeline: [{ $match: { lines: { $gt: 10 } } }, { $out: copy.collectionName }],
      cursor: {},
    });

    expect(reply.cursor.firstBatch).toEqual([]);
    expect(Number(reply.cursor.id)).toBe(0);
    expect(await all(copy)).toEqual([files[1]]);
  });

  test("replaces what was there and keeps its indexes", async () => {
    const shelf = await given.collection(files);
    const copy = await given.collection<File>([{ _id: 9, owner: "cy" }]);
    await copy.createIndex({ owner: 1 }, { unique: true });

    await run(shelf, { $project: { owner: 1 } }, { $out: copy.collectionName });

    expect(await all(copy)).toEqual([
      { _id: 1, owner: "ada" },
      { _id: 2, owner: "bob" },
    ]);
    expect((await copy.listIndexes().toArray()).map(({ name }) => name)).toEqual(["_id_", "owner_1"]);
    expect(await copy.find({ owner: "ada" }, { hint: "owner_1" }).toArray()).toHaveLength(1);
    expect((await failureOf(copy.insertOne({ _id: 3, owner: "ada" }))).code).toBe(11000);
  });

  test("may replace the collection it reads", async () => {
    const shelf = await given.collection(files);

    await run(shelf, { $set: { lines: { $add: ["$lines", 1] } } }, { $out: shelf.collectionName });

    expect((await all(shelf)).map(({ lines }) => lines)).toEqual([11, 21]);
  });

  test("of no results leaves an empty collection", async () => {
    const shelf = await given.collection(files);
    const copy = await given.collection<File>([{ _id: 9 }]);

    await run(shelf, { $match: { owner: "nobody" } }, { $out: copy.collectionName });

    expect(await all(copy)).toEqual([]);
    expect(await given.db.listCollections({ name: copy.collectionName }).toArray()).toHaveLength(1);
  });

  test("makes an _id where a result has none", async () => {
    const shelf = await given.collection(files);
    const copy = given.emptyCollection();

    await run(shelf, { $project: { _id: 0, owner: 1 } }, { $out: copy.collectionName });

    const made = await copy.find().toArray();
    expect(made.map(({ owner }) => owner).sort()).toEqual(["ada", "bob"]);
    expect(new Set(made.map(({ _id }) => String(_id))).size).toBe(2);
  });

  test("writes into another database", async () => {
    const shelf = await given.collection(files);
    const other = given.client.db(`${given.db.databaseName}_out`);
    try {
      await run(shelf, { $out: { db: other.databaseName, coll: "copy" } });

      expect(await all(other.collection<File>("copy"))).toEqual(files);
    } finally {
      await other.dropDatabase();
    }
  });

  test("that fails leaves everything as it was", async () => {
    const shelf = await given.collection(files);
    const copy = await given.collection<File>([{ _id: 9, kind: 0 }]);
    await copy.createIndex({ kind: 1 }, { unique: true });

    const error = await failureOf(run(shelf, { $set: { kind: 1 } }, { $out: copy.collectionName }));

    expect(error.code).toBe(11000);
    expect(await all(copy)).toEqual([{ _id: 9, kind: 0 }]);
    const listed = await given.db.listCollections({}, { nameOnly: true }).toArray();
    expect(listed.map(({ name }) => name).filter((name) => name.startsWith("tmp"))).toEqual([]);
  });

  test("is seen whole or not at all by whoever reads meanwhile", async () => {
    const shelf = await given.collection<File>(Array.from({ length: 3000 }, (_, _id) => ({ _id })));
    const copy = await given.collection<File>([{ _id: 1 }, { _id: 2 }]);
    const seen = new Set<number>();
    let isWritten = false;
    const readUntilWritten = async () => {
      while (!isWritten) seen.add(await copy.estimatedDocumentCount());
    };

    const reading = readUntilWritten();
    await expect.poll(() => seen.size).toBe(1);
    await run(shelf, { $out: copy.collectionName }).finally(() => {
      isWritten = true;
    });
    await reading;

    expect([...seen].filter((count) => count !== 2 && count !== 3000)).toEqual([]);
    expect(await copy.countDocuments()).toBe(3000);
  });

  test("ends a cursor on the collection that it replaces", async () => {
    const shelf = await given.collection(files);
    const copy = await given.collection<File>(Array.from({ length: 500 }, (_, _id) => ({ _id })));
    const cursor = copy.find({}, { batchSize: 10 });
    await cursor.next();

    await run(shelf, { $out: copy.collectionName });

    expect((await failureOf(cursor.toArray())).code).toBe(175);
  });

  test.each<[string, Document[], number]>([
    ["before another stage", [{ $out: "x" }, { $limit: 1 }], 40601],
    ["inside $facet", [{ $facet: { a: [{ $out: "x" }] } }], 40600],
    ["into a number", [{ $out: 1 }], 16990],
    ["into a collection of the system", [{ $out: "system.js" }], 17385],
    ["into a database of the system", [{ $out: { db: "admin", coll: "x" } }], 31321],
    ["into a collection that cannot be named so", [{ $out: "a$b" }], 73],
    ["without a collection", [{ $out: { db: "x" } }], 40414],
    ["with an option that does not exist", [{ $out: { db: "x", coll: "y", shiny: 1 } }], 40415],
  ])("%s is refused", async (_what, pipeline, code) => {
    const shelf = await given.collection(files);

    expect((await failureOf(run(shelf, ...pipeline))).code).toBe(code);
  });
});

describe("$merge", () => {
  const target: File[] = [
    { _id: 2, owner: "old", note: "kept" },
    { _id: 3, owner: "cy" },
  ];

  test.each<[string, Document, File[]]>([
    [
      "merges fields and inserts",
      {},
      [itemAt(files, 0), { _id: 2, owner: "bob", note: "kept", lines: 20 }, itemAt(target, 1)],
    ],
    ["replaces", { whenMatched: "replace" }, [itemAt(files, 0), itemAt(files, 1), itemAt(target, 1)]],
    ["keeps what exists", { whenMatched: "keepExisting" }, [itemAt(files, 0), ...target]],
    [
      "discards what does not exist",
      { whenNotMatched: "discard" },
      [{ _id: 2, owner: "bob", note: "kept", lines: 20 }, itemAt(target, 1)],
    ],
    [
      "computes by a pipeline that sees both documents",
      { whenMatched: [{ $set: { owner: { $concat: ["$owner", " and ", "$$new.owner"] } } }] },
      [itemAt(files, 0), { _id: 2, owner: "old and bob", note: "kept" }, itemAt(target, 1)],
    ],
    [
      "computes by a pipeline with variables of its own",
      { let: { n: { $add: ["$lines", 1] } }, whenMatched: [{ $set: { n: "$$n" } }] },
      [itemAt(files, 0), { _id: 2, owner: "old", note: "kept", n: 21 }, itemAt(target, 1)],
    ],
  ])("%s", async (_what, options, expected) => {
    const shelf = await given.collection(files);
    const into = await given.collection(target);

    const answered = await run(shelf, { $merge: { into: into.collectionName, ...options } });

    expect(answered).toEqual([]);
    expect(await all(into)).toEqual(expected);
  });

  test("makes the collection where there is none, and takes its name alone", async () => {
    const shelf = await given.collection(files);
    const into = given.emptyCollection<File>();

    await run(shelf, { $merge: into.collectionName });

    expect(await all(into)).toEqual(files);
  });

  test("writes into another database", async () => {
    const shelf = await given.collection(files);
    const other = given.client.db(`${given.db.databaseName}_merge`);
    try {
      await run(shelf, { $merge: { into: { db: other.databaseName, coll: "copy" } } });

      expect(await all(other.collection<File>("copy"))).toEqual(files);
    } finally {
      await other.dropDatabase();
    }
  });

  test("may write into the collection it reads", async () => {
    const shelf = await given.collection(files);

    await run(
      shelf,
      { $project: { lines: { $multiply: ["$lines", 2] } } },
      { $merge: { into: shelf.collectionName } },
    );

    expect(await all(shelf)).toEqual([
      { _id: 1, owner: "ada", lines: 20 },
      { _id: 2, owner: "bob", lines: 40 },
    ]);
  });

  test("stops at the first result that has no match where that is a failure", async () => {
    const shelf = await given.collection(files);
    const into = await given.collection(target);

    const error = await failureOf(
      run(shelf, { $sort: { _id: 1 } }, { $merge: { into: into.collectionName, whenNotMatched: "fail" } }),
    );

    expect(error).toMatchObject({ code: 13113, codeName: "MergeStageNoMatchingDocument" });
  });

  test("stops at the first result that has a match where that is a failure", async () => {
    const shelf = await given.collection(files);
    const into = await given.collection(target);

    const error = await failureOf(
      run(shelf, { $sort: { _id: 1 } }, { $merge: { into: into.collectionName, whenMatched: "fail" } }),
    );

    expect(error.code).toBe(11000);
    expect((await all(into)).find(({ _id }) => _id === 2)).toEqual(target[0]);
  });

  test("finds its matches by the fields of a unique index", async () => {
    const shelf = await given.collection(files);
    const into = await given.collection<File>([{ _id: 7, owner: "bob", note: "kept" }]);
    await into.createIndex({ owner: 1 }, { unique: true });

    await run(
      shelf,
      { $match: { owner: "bob" } },
      { $project: { _id: 0, owner: 1, lines: 1 } },
      { $merge: { into: into.collectionName, on: "owner" } },
    );

    expect(await all(into)).toEqual([{ _id: 7, owner: "bob", note: "kept", lines: 20 }]);
  });

  test("never changes the _id of a match", async () => {
    const shelf = await given.collection(files);
    const into = await given.collection<File>([{ _id: 7, owner: "bob" }]);
    await into.createIndex({ owner: 1 }, { unique: true });

    const error = await failureOf(
      run(
        shelf,
        { $match: { owner: "bob" } },
        { $merge: { into: into.collectionName, on: "owner", whenMatched: "replace" } },
      ),
    );

    expect(error.code).toBe(66);
    expect(await all(into)).toEqual([{ _id: 7, owner: "bob" }]);
  });

  test.each<[string, Document[], number]>([
    ["before another stage", [{ $merge: "x" }, { $limit: 1 }], 40601],
    ["inside $facet", [{ $facet: { a: [{ $merge: "x" }] } }], 40600],
    ["into a number", [{ $merge: 1 }], 51182],
    ["into a collection without a name", [{ $merge: { into: {} } }], 51178],
    ["by fields without a unique index", [{ $merge: { into: "x", on: "owner" } }], 51183],
    ["by no fields", [{ $merge: { into: "x", on: [] } }], 51187],
    ["by a field that is no string", [{ $merge: { into: "x", on: [1] } }], 51134],
    ["in a way that does not exist", [{ $merge: { into: "x", whenMatched: "shine" } }], 2],
    [
      "keeping what exists and discarding the rest",
      [{ $merge: { into: "x", whenMatched: "keepExisting", whenNotMatched: "discard" } }],
      51181,
    ],
    ["with variables and no pipeline", [{ $merge: { into: "x", let: { a: 1 } } }], 51199],
    ["with an option that does not exist", [{ $merge: { into: "x", shiny: 1 } }], 40415],
  ])("%s is refused", async (_what, pipeline, code) => {
    const shelf = await given.collection(files);

    expect((await failureOf(run(shelf, ...pipeline))).code).toBe(code);
  });
});
