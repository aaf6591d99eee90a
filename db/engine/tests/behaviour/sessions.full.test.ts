import { type ClientSession, MongoClient, UUID } from "mongodb";
import { describe, expect, onTestFinished, test } from "vitest";
import { needsEngine } from "../server.ts";
import { failureOf, givenStore } from "./given.ts";

const given = await givenStore();

describe("a session", () => {
  test("is accepted by every kind of operation and ended", async () => {
    const shelf = await given.collection<{ _id: number; n: number }>([{ _id: 1, n: 1 }]);
    let used: ClientSession | undefined;

    const documents = await given.client.withSession(async (session) => {
      used = session;
      await shelf.insertOne({ _id: 2, n: 2 }, { session });
      await shelf.updateOne({ _id: 2 }, { $inc: { n: 1 } }, { session });
      await shelf.deleteOne({ _id: 1 }, { session });
      await shelf.createIndex({ n: 1 }, { session });
      return shelf.find({}, { session, batchSize: 1 }).toArray();
    });

    expect(documents).toEqual([{ _id: 2, n: 3 }]);
    expect(used?.hasEnded).toBe(true);
  });

  test("of any identity can be ended, known or not", async () => {
    const ended = await given.client.db("admin").command({ endSessions: [{ id: new UUID().toBinary() }] });

    expect(ended).toMatchObject({ ok: 1 });
  });
});

describe("concerns and preferences", () => {
  test.each(["local", "available", "majority", "linearizable"])(
    "a read concern of %s is accepted",
    async (level) => {
      const shelf = await given.collection([{ a: 1 }]);

      expect(await shelf.find({}, { readConcern: { level } as never }).toArray()).toHaveLength(1);
    },
  );

  test.each([{ w: 1 }, { w: "majority" as const }, { w: 1, journal: true }, { w: 1, wtimeoutMS: 100 }])(
    "a write concern of %o is accepted",
    async (writeConcern) => {
      const shelf = given.emptyCollection({ writeConcern });

      expect(await shelf.insertOne({ a: 1 })).toMatchObject({ acknowledged: true });
    },
  );

  describe("in a set of one", () => {
    needsEngine("a server may have more members");

    test.each([
      [2, { code: 100, codeName: "UnsatisfiableWriteConcern", errmsg: "Not enough data-bearing nodes" }],
      ["nowhere", { code: 79, codeName: "UnknownReplWriteConcern" }],
    ])(
      "a write concern of %o cannot be met by one member: the write is done and that is said",
      async (w, error) => {
        const shelf = given.emptyCollection();

        const reply = await given.client
          .db(given.db.databaseName)
          .command({ insert: shelf.collectionName, documents: [{ a: 1 }], writeConcern: { w } })
          .catch(({ errorResponse }) => errorResponse);

        expect(reply).toMatchObject({ n: 1, writeConcernError: error });
        expect(await shelf.countDocuments()).toBe(1);
      },
    );
  });

  test.each([-1, 51, true])("a write concern of %o is refused, and nothing is done", async (w) => {
    const shelf = given.emptyCollection();

    const error = await failureOf(
      given.db.command({ insert: shelf.collectionName, documents: [{ a: 1 }], writeConcern: { w } }),
    );

    expect(error.code).toBe(9);
    expect(await shelf.countDocuments()).toBe(0);
  });

  test.each(["primary", "primaryPreferred", "secondaryPreferred", "nearest"] as const)(
    "a read preference of %s is accepted",
    async (readPreference) => {
      const shelf = await given.collection([{ a: 1 }]);

      expect(await shelf.find({}, { readPreference }).toArray()).toHaveLength(1);
    },
  );
});

test("a write without acknowledgement says only that it was sent, is done, and if it fails leaves the connection in step", async () => {
  const { collectionName } = given.emptyCollection();
  // One connection: what is sent after the write is answered after it.
  const client = await MongoClient.connect(given.uri, { maxPoolSize: 1 });
  onTestFinished(() => client.close());
  const shelf = client.db(given.db.databaseName).collection<{ _id: number; n: number }>(collectionName);
  const unacknowledged = { writeConcern: { w: 0 as const } };

  const inserted = await shelf.insertOne({ _id: 1, n: 1 }, unacknowledged);
  await shelf.insertMany(
    [2, 3].map((_id) => ({ _id, n: 1 })),
    unacknowledged,
  );
  await shelf.updateMany({}, { $inc: { n: 1 } }, unacknowledged);
  await shelf.deleteOne({ _id: 3 }, unacknowledged);
  await shelf.insertOne({ _id: 1, n: 9 }, unacknowledged);

  expect(inserted.acknowledged).toBe(false);
  expect(await client.db("admin").command({ ping: 1 })).toMatchObject({ ok: 1 });
  expect(await shelf.find().sort({ _id: 1 }).toArray()).toEqual([1, 2].map((_id) => ({ _id, n: 2 })));
});
