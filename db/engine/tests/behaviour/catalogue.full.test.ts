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

  test("are listed by name alone", async () => {
    await withDatabase("named", async (db) => {
      for (const name of ["shelf", "box"]) await db.collection(name).createIndex({ a: 1 });

      const listed = await db.listCollections({}, { nameOnly: true }).toArray();

      const byName = listed.toSorted((a, b) => a.name.localeCompare(b.name));
      expect(byName).toEqual([
        { name: "box", type: "collection" },
        { name: "shelf", type: "collection" },
      ]);
      expect(await db.listCollections({ name: "nothing" }).toArray()).toEqual([]);
    });
  });

  test.each([
    ["an empty name", ""],
    ["a name with a dollar", "a$b"],
    ["a name that begins with a dot", ".a"],
    ["a name with a zero byte", "a\u0000b"],
  ])("cannot get %s by an insert", async (_what, insert) => {
    const error = await failureOf(given.db.command({ insert, documents: [{ a: 1 }] }));

    expect(error).toMatchObject({ code: 73, codeName: "InvalidNamespace" });
  });

  test("of the same name in two databases are two collections", async () => {
    await withDatabase("other", async (db) => {
      const shelf = await given.collection([{ a: 1 }]);
      await db.collection(shelf.collectionName).insertMany([{ a: 1 }, { a: 2 }]);

      await db.collection(shelf.collectionName).deleteMany({});

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
      await db.collection("b").createIndex({ n: 1 });

      const reply = await db.command({ dropDatabase: 1 });

      expect(reply).toMatchObject({ dropped: db.databaseName, ok: 1 });
      expect(await db.listCollections().toArray()).toEqual([]);
      expect(await db.collection("a").countDocuments()).toBe(0);
      await db.collection("b").insertOne({ n: 1 });
      expect(await db.collection("b").listIndexes().toArray()).toHaveLength(1);
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
    ["a sort direction of 0", { sort: { a: 0 } }, 15975],
  ])("refuses %s", async (_what, command, code) => {
    const shelf = await given.collection([{ a: 1 }]);

    const error = await failureOf(given.db.command({ find: shelf.collectionName, ...command }));

    expect(error.code).toBe(code);
  });
});
