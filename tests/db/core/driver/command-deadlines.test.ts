import { type Collection, type CommandStartedEvent, type Document, MongoClient } from "mongodb";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { connectMongo } from "#db/client.ts";
import { limitCommandTimeOnServer, toServerTimeLimit } from "#db/core/driver/command-deadlines.ts";
import { retryWritesOfUnknownOutcome } from "#db/core/driver/retryable-errors.ts";
import { isDeadlineExceeded, isStorageFault, nameFault } from "#db/core/faults.server.ts";
import { startEngine } from "#tests/support/databases/engine.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";

needsEngine("it sets a fail point, of which a server has one for all");

const TIMEOUT_MS = 20_000;

limitCommandTimeOnServer({});
retryWritesOfUnknownOutcome();
const engine = await startEngine({ testCommands: true });
const sent: CommandStartedEvent[] = [];
const open = async (options: object) => {
  const client = await MongoClient.connect(engine.uri, { ...options, monitorCommands: true });
  client.on("commandStarted", (event) => sent.push(event));
  return client;
};
const client = await open({ socketTimeoutMS: TIMEOUT_MS });
const unlimited = await open({});
const shelf = client.db("deadlines").collection<Document & { _id: number }>("shelf");
const breakNext = (data: object, mode: object | string = { times: 1 }) =>
  unlimited.db("admin").command({ configureFailPoint: "failCommand", mode, data });

beforeEach(async () => {
  await shelf.deleteMany({});
  await shelf.insertMany(Array.from({ length: 5 }, (_, _id) => ({ _id })));
  sent.length = 0;
});
afterEach(() => breakNext({}, "off"));
afterAll(async () => {
  await client.close();
  await unlimited.close();
  await engine.stop();
});

const listLimits = (name: string) =>
  sent.filter(({ commandName }) => commandName === name).map(({ command }) => command.maxTimeMS);

it.each<[string, (of: Collection<Document & { _id: number }>) => Promise<unknown>]>([
  ["find", (of) => of.find().toArray()],
  ["find", (of) => of.findOne({ _id: 1 })],
  ["aggregate", (of) => of.aggregate([{ $match: {} }]).toArray()],
  ["aggregate", (of) => of.countDocuments()],
  ["count", (of) => of.estimatedDocumentCount()],
  ["distinct", (of) => of.distinct("_id")],
  ["insert", (of) => of.insertOne({ _id: 9 })],
  ["insert", (of) => of.insertMany([{ _id: 9 }])],
  ["update", (of) => of.updateOne({ _id: 1 }, { $set: { n: 1 } })],
  ["update", (of) => of.updateMany({}, { $set: { n: 1 } })],
  ["update", (of) => of.bulkWrite([{ updateOne: { filter: { _id: 1 }, update: { $set: { n: 1 } } } }])],
  ["update", (of) => of.replaceOne({ _id: 1 }, {})],
  ["delete", (of) => of.deleteOne({ _id: 1 })],
  ["delete", (of) => of.deleteMany({})],
  ["findAndModify", (of) => of.findOneAndUpdate({ _id: 1 }, { $set: { n: 1 } })],
  ["listIndexes", (of) => of.listIndexes().toArray()],
])("%s tells the server to end a little before the socket gives up", async (name, act) => {
  await act(shelf);

  expect(listLimits(name)).toEqual([toServerTimeLimit(TIMEOUT_MS)]);
  expect(toServerTimeLimit(TIMEOUT_MS)).toBeLessThan(TIMEOUT_MS);
  expect(toServerTimeLimit(TIMEOUT_MS)).toBeGreaterThanOrEqual(TIMEOUT_MS * 0.9);
});

it("the rest of an answer and the building of an index have no limit of their own", async () => {
  await shelf.find({}, { batchSize: 2 }).toArray();
  await shelf.createIndex({ n: 1 }, { name: "n" });
  await shelf.dropIndex("n");

  expect(listLimits("getMore")).toEqual([undefined, undefined]);
  expect(listLimits("createIndexes")).toEqual([undefined]);
  expect(listLimits("dropIndexes")).toEqual([undefined]);
});

it("a client without a socket timeout sets no limit, and a limit that was asked for stays", async () => {
  await unlimited.db("deadlines").collection("shelf").findOne();
  await shelf.find({}, { maxTimeMS: 7_000 }).toArray();

  expect(listLimits("find")).toEqual([undefined, 7_000]);
});

/** Three arrays of 2,000 make 8,000,000,000 combinations: no server finishes. */
const list = Array.from({ length: 2_000 }, (_, n) => n);
const endless = ["$a", "$b", "$c"].map((field) => ({ $unwind: field }));

itInFullRun("what takes too long is ended by the server, and told as an outage", async () => {
  const mongo = await connectMongo(engine.uri, {
    appName: "deadlines",
    databaseName: "deadlines",
    timeoutMs: 4_000,
  });
  await shelf.updateOne({ _id: 1 }, { $set: { a: list, b: list, c: list } });

  const error = await mongo
    .collection("shelf")
    .aggregate([...endless, { $group: { _id: null, n: { $sum: 1 } } }])
    .toArray()
    .catch((thrown) => thrown);
  await mongo.close();

  expect(error).toMatchObject({ code: 50 });
  expect(isStorageFault(error)).toBe(true);
});

it("a write that was done while its majority did not answer in time is asked for again under its number", async () => {
  const writeConcernError = {
    code: 50,
    codeName: "MaxTimeMSExpired",
    errmsg: "operation exceeded time limit",
  };
  await breakNext({ failCommands: ["update"], writeConcernError });

  const { modifiedCount } = await shelf.updateOne({ _id: 1 }, { $inc: { n: 1 } });

  const numbers = sent
    .filter(({ commandName }) => commandName === "update")
    .map(({ command }) => command.txnNumber);
  expect(numbers).toHaveLength(2);
  expect(numbers[0]).toEqual(numbers[1]);
  expect(modifiedCount).toBe(1);
  expect(await shelf.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
});

it("a write that the server ended before it was done is not sent again, and told as an outage by a name of its own", async () => {
  await breakNext({ failCommands: ["update"], errorCode: 50 }, "alwaysOn");

  const error = await shelf.updateOne({ _id: 1 }, { $inc: { n: 1 } }).catch((thrown) => thrown);

  expect(error).toMatchObject({ code: 50 });
  expect([isDeadlineExceeded(error), isStorageFault(error), nameFault(error)]).toEqual([
    ...[true, true],
    "MaxTimeMSExpired",
  ]);
  expect(listLimits("update")).toHaveLength(1);
});
