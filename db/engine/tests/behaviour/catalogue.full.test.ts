import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

/** A database no other test uses, gone when the test ends. */
async function withDatabase<T>(suffix: string, act: (db: typeof given.db) => Promise<T>): Promise<T> {
  const db = given.client.db(`${given.db.databaseName}_${suffix}`);
  try {
    return await act(db);
  } finally {
    await db.dropDatabase();
  }
}

describe("collections", () => {
  test("are made by the first write and listed with their kind and _id index", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    const [listed] = await given.db.listCollections({ name: shelf.collectionName }).toArray();

    expect(listed).toMatchObject({
      name: shelf.collectionName,
      type: "collection",
      options: {},
      info: { readOnly: false },
      idIndex: { v: 2, key: { _id: 1 }, name: "_id_" },
    });
  });

  test("can be created empty and listed by name alone", async () => {
    await withDatabase("empty", async (db) => {
      await db.createCollection("shelf");
      await db.createCollection("box");

      const listed = await db.listCollections({}, { nameOnly: true }).toArray();

      const byName = listed.toSorted((a, b) => a.name.localeCompare(b.name));
      expect(byName).toEqual([
        { name: "box", type: "collection" },
        { name: "shelf", type: "collection" },
      ]);
      expect(await db.listCollections({ name: "nothing" }).toArray()).toEqual([]);
    });
  });

  test("created again with the same options keep their documents", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    await given.db.command({ create: shelf.collectionName });

    expect(await shelf.countDocuments()).toBe(1);
  });

  test("cannot be created again with other options", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    await failureOf(given.db.command({ create: shelf.collectionName, capped: true, size: 4096 }));

    expect(await shelf.countDocuments()).toBe(1);
  });

  test.each([
    ["an empty name", ""],
    ["a name with a dollar", "a$b"],
    ["a name with a zero byte", "a\u0000b"],
  ])("cannot have %s", async (_what, name) => {
    const error = await failureOf(given.db.command({ create: name }));

    expect(error.code).toBe(73);
  });

  test("are dropped with their documents and indexes, and dropping nothing is no error", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    await shelf.createIndex({ a: 1 });

    const dropped = await given.db.command({ drop: shelf.collectionName });
    await given.db.command({ drop: shelf.collectionName });

    expect(dropped).toMatchObject({ nIndexesWas: 2, ns: shelf.namespace, ok: 1 });
    expect(await shelf.find().toArray()).toEqual([]);
    await shelf.insertOne({ a: 2 });
    expect(await shelf.listIndexes().toArray()).toHaveLength(1);
  });

  test.each([
    ["a name with a dollar", "a$b"],
    ["a name that begins with a dot", ".a"],
  ])("cannot get %s by an insert", async (_what, insert) => {
    const error = await failureOf(given.db.command({ insert, documents: [{ a: 1 }] }));

    expect(error).toMatchObject({ code: 73, codeName: "InvalidNamespace" });
  });

  test("are renamed with their documents and indexes", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    await shelf.createIndex({ a: 1 });
    const { collectionName } = shelf;

    const renamed = await shelf.rename(`${collectionName}_renamed`);

    expect(await renamed.find({ a: 1 }, { hint: "a_1" }).toArray()).toHaveLength(1);
    expect(await given.db.listCollections({ name: collectionName }).toArray()).toEqual([]);
  });

  test("are renamed over another only on demand", async () => {
    const shelf = await given.collection([{ a: "new" }]);
    const other = await given.collection([{ a: "old" }]);

    const error = await failureOf(shelf.rename(other.collectionName));
    await shelf.rename(other.collectionName, { dropTarget: true });

    expect(error).toMatchObject({ code: 48, codeName: "NamespaceExists" });
    expect(await other.distinct("a")).toEqual(["new"]);
  });

  test("that do not exist cannot be renamed, nor any to its own name", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    const missing = await failureOf(given.emptyCollection().rename("elsewhere"));
    const same = await failureOf(
      given.client.db("admin").command({ renameCollection: shelf.namespace, to: shelf.namespace }),
    );

    expect([missing.code, same.code]).toEqual([26, 20]);
  });

  test("of the same name in two databases are two collections", async () => {
    await withDatabase("other", async (db) => {
      const shelf = await given.collection([{ a: 1 }]);
      await db.collection(shelf.collectionName).insertMany([{ a: 1 }, { a: 2 }]);

      await db.collection(shelf.collectionName).drop();

      expect(await shelf.countDocuments()).toBe(1);
    });
  });
});

describe("databases", () => {
  test.each([
    ["a space", "a b"],
    ["a slash", "a/b"],
    ["a quote", 'a"b'],
    ["64 bytes", "a".repeat(64)],
  ])("cannot have a name with %s, whatever is asked of them", async (_what, name) => {
    const db = given.client.db(name);

    const codes = await Promise.all(
      [{ ping: 1 }, { find: "shelf" }, { insert: "shelf", documents: [{}] }, { dropDatabase: 1 }].map(
        async (command) => (await failureOf(db.command(command))).code,
      ),
    );

    expect(codes).toEqual([73, 73, 73, 73]);
  });

  test("are dropped with all their collections", async () => {
    await withDatabase("dropped", async (db) => {
      await db.collection("a").insertOne({ n: 1 });
      await db.collection("b").insertOne({ n: 1 });

      const reply = await db.command({ dropDatabase: 1 });

      expect(reply).toMatchObject({ dropped: db.databaseName, ok: 1 });
      expect(await db.listCollections().toArray()).toEqual([]);
      expect(await db.collection("a").countDocuments()).toBe(0);
    });
  });

  test("are listed while they have collections", async () => {
    await withDatabase("listed", async (db) => {
      const names = async () =>
        (await given.client.db().admin().listDatabases({ nameOnly: true })).databases.map(({ name }) => name);
      expect(await names()).not.toContain(db.databaseName);

      await db.collection("a").insertOne({ n: 1 });

      expect(await names()).toContain(db.databaseName);
    });
  });

  test("keep apart what another database is told to drop", async () => {
    await withDatabase("gone", async (db) => {
      const shelf = await given.collection([{ a: 1 }]);
      await db.collection("a").insertOne({ n: 1 });

      await db.dropDatabase();

      expect(await shelf.countDocuments()).toBe(1);
    });
  });
});

describe("the server", () => {
  test("answers ping and tells its version and limits", async () => {
    const hello = await given.db.command({ hello: 1 });
    const build = await given.db.command({ buildInfo: 1 });

    expect(await given.db.command({ ping: 1 })).toMatchObject({ ok: 1 });
    expect(hello).toMatchObject({
      isWritablePrimary: true,
      maxBsonObjectSize: 16777216,
      maxMessageSizeBytes: 48000000,
      maxWriteBatchSize: 100000,
    });
    expect(build.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(build.versionArray).toHaveLength(4);
  });

  test("answers a command that it does not know with 59", async () => {
    const error = await failureOf(given.db.command({ frobnicate: 1 }));

    expect(error).toMatchObject({ code: 59, codeName: "CommandNotFound" });
  });

  test("keeps a client that asks strictly for the Stable API to its commands", async () => {
    const shelf = await given.collection([{ a: 1 }]);
    const strict = { apiVersion: "1", apiStrict: true };

    const error = await failureOf(given.db.command({ distinct: shelf.collectionName, key: "a", ...strict }));

    expect(error).toMatchObject({ code: 323, codeName: "APIStrictError" });
    expect(await given.db.command({ find: shelf.collectionName, ...strict })).toMatchObject({ ok: 1 });
  });

  test("answers a field that a command does not know with an error", async () => {
    const shelf = await given.collection([{ a: 1 }]);

    const find = await failureOf(given.db.command({ find: shelf.collectionName, shiny: true }));
    const insert = await failureOf(
      given.db.command({ insert: shelf.collectionName, documents: [{}], shiny: true }),
    );

    expect([find.code, insert.code]).toEqual([40415, 40415]);
  });

  test.each([
    ["a filter that is no document", { filter: 1 }, 14],
    ["an operator that does not exist", { filter: { a: { $frobnicate: 1 } } }, 2],
    ["a top-level operator that does not exist", { filter: { $frobnicate: 1 } }, 2],
    ["$in without an array", { filter: { a: { $in: 1 } } }, 2],
    ["$and without conditions", { filter: { $and: [] } }, 2],
    ["a regular expression that cannot be read", { filter: { a: { $regex: "(" } } }, 51091],
    ["a sort direction of 0", { sort: { a: 0 } }, 15975],
  ])("refuses %s", async (_what, command, code) => {
    const shelf = await given.collection([{ a: 1 }]);

    const error = await failureOf(given.db.command({ find: shelf.collectionName, ...command }));

    expect(error.code).toBe(code);
  });
});
