import { describe, expect, test } from "vitest";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();
const admin = given.client.db("admin");

describe("a person at a shell", () => {
  test("learns about the machine", async () => {
    const { system, os } = await given.db.command({ hostInfo: 1 });

    expect(system).toMatchObject({ hostname: expect.any(String), numCores: expect.any(Number) });
    expect(os.type).toEqual(expect.any(String));
  });

  test("reads settings by name, and all of them", async () => {
    const named = await admin.command({ getParameter: 1, featureCompatibilityVersion: 1 });
    const all = await admin.command({ getParameter: "*" });

    expect(named.featureCompatibilityVersion.version).toMatch(/^\d+\.\d+$/);
    expect(all).toHaveProperty("authenticationMechanisms");
    expect((await failureOf(admin.command({ getParameter: 1, shiny: 1 }))).code).toBe(72);
  });

  test("reads the log of the start, and the names of the logs", async () => {
    const { log } = await admin.command({ getLog: "startupWarnings" });
    const { names } = await admin.command({ getLog: "*" });

    expect(log).toEqual(expect.any(Array));
    expect(names).toContain("global");
    expect((await failureOf(admin.command({ getLog: "shiny" }))).code).toBe(96);
  });

  test("sees how the server was started", async () => {
    expect((await admin.command({ getCmdLineOpts: 1 })).argv).toEqual(expect.any(Array));
  });

  test("asks about the whole server through the database admin alone", async () => {
    const codes = await Promise.all(
      [{ getParameter: "*" }, { getLog: "*" }, { getCmdLineOpts: 1 }, { listDatabases: 1 }].map(
        async (command) => (await failureOf(given.db.command(command))).code,
      ),
    );

    expect(codes).toEqual([13, 13, 13, 13]);
  });

  test("lists the users of a database", async () => {
    expect((await given.db.command({ usersInfo: 1 })).users).toEqual([]);
  });
});

describe("the room that data takes", () => {
  test("is told for a collection: documents, bytes, indexes", async () => {
    const shelf = await given.collection([{ text: "x".repeat(1000) }, { text: "y".repeat(1000) }]);
    await shelf.createIndex({ text: 1 });

    const stats = await given.db.command({ collStats: shelf.collectionName });

    expect(stats).toMatchObject({ ns: shelf.namespace, count: 2, nindexes: 2 });
    expect(stats.size).toBeGreaterThan(2000);
    expect(stats.size).toBeLessThan(2200);
    expect(stats.avgObjSize).toBe(Math.floor(stats.size / 2));
    expect(Object.keys(stats.indexSizes).sort()).toEqual(["_id_", "text_1"]);
    expect(stats.totalIndexSize).toBe(stats.indexSizes._id_ + stats.indexSizes.text_1);
  });

  test("is told in another unit on demand", async () => {
    const shelf = await given.collection([{ text: "x".repeat(5000) }]);

    const stats = await given.db.command({ collStats: shelf.collectionName, scale: 1024 });

    expect(stats).toMatchObject({ size: 4, scaleFactor: 1024 });
  });

  test("is told by a pipeline too", async () => {
    const shelf = await given.collection([{ a: 1 }, { a: 2 }]);

    const [stats] = await shelf.aggregate([{ $collStats: { storageStats: {}, count: {} } }]).toArray();

    expect(stats).toMatchObject({ ns: shelf.namespace, count: 2, storageStats: { count: 2, nindexes: 1 } });
  });

  test("is nothing for a collection that does not exist", async () => {
    expect(await given.db.command({ collStats: "nothing" })).toMatchObject({ count: 0, size: 0 });
  });

  test("is told for a database", async () => {
    const db = given.client.db(`${given.db.databaseName}_room`);
    try {
      await db.collection("a").insertMany([{ text: "x".repeat(500) }, {}]);
      await db.collection("b").insertOne({});

      const stats = await db.command({ dbStats: 1 });

      expect(stats).toMatchObject({ db: db.databaseName, collections: 2, objects: 3, indexes: 2, views: 0 });
      expect(stats.dataSize).toBeGreaterThan(500);
    } finally {
      await db.dropDatabase();
    }
  });

  test("is listed beside the names of the databases, and left out on demand", async () => {
    await given.collection([{ a: 1 }]);
    const filter = { name: given.db.databaseName };

    const measured = await admin.command({ listDatabases: 1, filter });
    const named = await admin.command({ listDatabases: 1, filter, nameOnly: true });

    expect(measured.databases).toEqual([
      { name: given.db.databaseName, sizeOnDisk: expect.any(Number), empty: false },
    ]);
    expect(named.databases).toEqual([{ name: given.db.databaseName }]);
  });
});
