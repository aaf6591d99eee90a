import { type Document, Int32, Long, MongoClient, type MongoServerError } from "mongodb";
import { describe, expect, test } from "vitest";
import { needsVersion } from "../server.ts";
import { failureOf, givenStore } from "./given.ts";

// From there on an answer names the statements that were done before.
needsVersion("6.0");

const given = await givenStore();

/** Sends commands in a session of their own: its client ends with it, so no other write gets its numbers. */
async function inSession<T>(act: (send: (command: Document) => Promise<Document>) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(given.uri);
  const db = client.db(given.db.databaseName);
  try {
    return await client.withSession((session) => act((command) => db.command({ ...command }, { session })));
  } finally {
    await client.close();
  }
}

const number = (value: number) => Long.fromNumber(value);

describe("a write that is sent twice with one number", () => {
  test.each<[verb: string, write: (name: string) => Document, answer: Document, left: Document[]]>([
    ["inserts", (insert) => ({ insert, documents: [{ _id: 3 }] }), { n: 1 }, [{ _id: 1, n: 0 }, { _id: 3 }]],
    [
      "updates",
      (update) => ({ update, updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] }),
      { n: 1, nModified: 1 },
      [{ _id: 1, n: 1 }],
    ],
    [
      "upserts",
      (update) => ({ update, updates: [{ q: { _id: 3 }, u: { $inc: { n: 1 } }, upsert: true }] }),
      { n: 1, nModified: 0, upserted: [{ index: 0, _id: 3 }] },
      [
        { _id: 1, n: 0 },
        { _id: 3, n: 1 },
      ],
    ],
    ["deletes", (name) => ({ delete: name, deletes: [{ q: {}, limit: 1 }] }), { n: 1 }, []],
  ])("%s once and answers alike", async (_verb, write, answer, left) => {
    const shelf = await given.collection<Document>([{ _id: 1 as never, n: 0 }]);
    const command = { ...write(shelf.collectionName), txnNumber: number(1) };

    const [first, second] = await inSession(async (send) => [await send(command), await send(command)]);

    for (const reply of [first, second]) expect(reply).toMatchObject({ ...answer, ok: 1 });
    expect(first).not.toHaveProperty("retriedStmtIds");
    expect(second).toMatchObject({ retriedStmtIds: [0] });
    expect(await shelf.find().sort({ _id: 1 }).toArray()).toEqual(left);
  });

  test.each<[string, Document, Document | null, Document]>([
    ["as it was", { update: { $inc: { n: 1 } } }, { _id: 1, n: 0 }, { updatedExisting: true }],
    ["as it is", { update: { $inc: { n: 1 } }, new: true }, { _id: 1, n: 1 }, { updatedExisting: true }],
    ["that it removed", { remove: true }, { _id: 1, n: 0 }, { n: 1 }],
    [
      "that it made",
      { query: { _id: 2 }, update: { n: 5 }, upsert: true, new: true },
      { _id: 2, n: 5 },
      { upserted: 2 },
    ],
  ])("finds and modifies once and shows the same document, %s", async (_how, change, value, last) => {
    const shelf = await given.collection<Document>([{ _id: 1 as never, n: 0 }]);
    const command = {
      findAndModify: shelf.collectionName,
      query: { _id: 1 },
      ...change,
      txnNumber: number(1),
    };

    const replies = await inSession(async (send) => [await send(command), await send(command)]);

    for (const reply of replies) expect(reply).toMatchObject({ value, lastErrorObject: last });
    expect(replies[1]).toMatchObject({ retriedStmtId: 0 });
  });

  test("does what it had not done, and nothing of the rest again", async () => {
    const shelf = await given.collection<Document>([{ _id: 2 as never }]);
    const insert = { insert: shelf.collectionName, txnNumber: number(7) };
    const documents = [1, 2, 3].map((_id) => ({ _id }));

    const reply = await inSession(async (send) => {
      const first = await send({ ...insert, documents }).catch(({ errorResponse }) => errorResponse);
      expect(first).toMatchObject({ n: 1, writeErrors: [{ index: 1, code: 11000 }] });
      await shelf.deleteOne({ _id: 2 as never });
      return send({ ...insert, documents });
    });

    expect(reply).toMatchObject({ n: 3, retriedStmtIds: [0] });
    expect(await shelf.countDocuments()).toBe(3);
  });

  test("is done again where it had not changed anything", async () => {
    const shelf = given.emptyCollection();
    const updates = [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }];
    const command = { update: shelf.collectionName, updates, txnNumber: number(1) };

    const [first, second] = await inSession(async (send) => {
      const missed = await send(command);
      await shelf.insertOne({ _id: 1 as never, n: 0 });
      return [missed, await send(command)];
    });

    expect(first).toMatchObject({ n: 0, nModified: 0 });
    expect(second).toMatchObject({ n: 1, nModified: 1 });
  });

  test("waits for the original that still runs", async () => {
    const shelf = given.emptyCollection();
    const documents = Array.from({ length: 5_000 }, (_, _id) => ({ _id, text: "x".repeat(200) }));
    const command = { insert: shelf.collectionName, documents, txnNumber: number(1) };

    const replies = await inSession((send) => Promise.all([send(command), send(command), send(command)]));

    for (const reply of replies) expect(reply).toMatchObject({ n: 5_000, ok: 1 });
    expect(await shelf.countDocuments()).toBe(5_000);
  });

  test("is another write in another session", async () => {
    const shelf = given.emptyCollection();
    const command = { insert: shelf.collectionName, documents: [{ a: 1 }], txnNumber: number(1) };

    await inSession((send) => send(command));
    await inSession((send) => send(command));

    expect(await shelf.countDocuments()).toBe(2);
  });
});

describe("a number", () => {
  test("below the last one of its session is refused with 225, and nothing is done", async () => {
    const shelf = given.emptyCollection();
    const insert = (_id: number, txnNumber: Long) => ({
      insert: shelf.collectionName,
      documents: [{ _id }],
      txnNumber,
    });

    const error = await inSession(async (send) => {
      await send(insert(1, number(5)));
      return failureOf(send(insert(2, number(4))));
    });

    expect(error).toMatchObject({ code: 225, codeName: "TransactionTooOld" });
    expect(await shelf.countDocuments()).toBe(1);
  });

  test.each<[string, (name: string) => Document, number]>([
    ["on a read", (find) => ({ find, txnNumber: number(1) }), 50768],
    ["that is negative", (insert) => ({ insert, documents: [{}], txnNumber: Long.fromNumber(-1) }), 72],
    ["that is no int64", (insert) => ({ insert, documents: [{}], txnNumber: new Int32(1) }), 14],
  ])("%s is refused", async (_what, command, code) => {
    const shelf = await given.collection([{ a: 1 }]);

    const error = await inSession((send) => failureOf(send(command(shelf.collectionName))));

    expect(error.code).toBe(code);
    expect(await shelf.countDocuments()).toBe(1);
  });

  test.each<[string, (name: string) => Document]>([
    ["an update of many", (update) => ({ update, updates: [{ q: {}, u: { $set: { a: 2 } }, multi: true }] })],
    ["a delete of many", (name) => ({ delete: name, deletes: [{ q: {}, limit: 0 }] })],
  ])("on %s is refused for that statement", async (_what, command) => {
    const shelf = await given.collection([{ a: 1 }, { a: 1 }]);

    const reply = await inSession((send) =>
      send({ ...command(shelf.collectionName), txnNumber: number(1) }).catch(
        (error: MongoServerError) => error.errorResponse,
      ),
    );

    expect(reply.writeErrors).toMatchObject([{ index: 0, code: 72 }]);
    expect(await shelf.countDocuments({ a: 1 })).toBe(2);
  });
});
