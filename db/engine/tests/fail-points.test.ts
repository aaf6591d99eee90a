import { type Document, Long, MongoClient } from "mongodb";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { present } from "../values/present.ts";
import { failureOf, givenStore } from "./behaviour/given.ts";
import { databaseName, givenMongoDB, needsEngine, needsFailPoints, needsVersion } from "./server.ts";
import { startEngine } from "./start-engine.ts";

needsFailPoints();

const engine = givenMongoDB ? undefined : await startEngine({ testCommands: true });
const uri = givenMongoDB ?? present(engine).uri;
const NAME = databaseName();
const client = await MongoClient.connect(uri, { appName: NAME, retryReads: false, retryWrites: false });
/** As the product connects: what fails in a way that may pass is sent once more, but here without waiting before it looks again. */
const retrying = await MongoClient.connect(uri, { appName: NAME, minHeartbeatFrequencyMS: 20 });
const shelf = client.db(NAME).collection<Document & { _id: number }>("shelf");

/** Strikes the clients of this file alone; a server has one such fail point, so no other file may set it. */
const configure = (mode: unknown, data?: Document) => {
  const command = { configureFailPoint: "failCommand", mode };
  return client.db("admin").command(data ? { ...command, data: { appName: NAME, ...data } } : command);
};

afterEach(() => configure("off"));
afterAll(async () => {
  if (givenMongoDB) await client.db(NAME).dropDatabase();
  await client.close();
  await retrying.close();
  await engine?.stop();
});

/** The result of each try: the code of its error, or 0. */
async function codesOf(tries: number, act: () => Promise<unknown>): Promise<number[]> {
  const codes: number[] = [];
  for (let i = 0; i < tries; i++)
    codes.push(
      await act()
        .then(() => 0)
        .catch((error: Document) => Number(error.code)),
    );
  return codes;
}

describe("a fail point", () => {
  test("fails the commands it names with its code, and nothing is done", async () => {
    await configure("alwaysOn", { failCommands: ["insert"], errorCode: 10107 });

    const error = await failureOf(shelf.insertOne({ _id: 1 }));

    expect(error).toMatchObject({ code: 10107, codeName: "NotWritablePrimary" });
    expect(await shelf.countDocuments({ _id: 1 })).toBe(0);
  });

  test.each([
    [{ times: 2 }, [8, 8, 0, 0]],
    [{ skip: 2 }, [0, 0, 8, 8]],
    [{ skip: 1, times: 2 }, [0, 8, 8, 0]],
    ["alwaysOn", [8, 8, 8, 8]],
    ["off", [0, 0, 0, 0]],
  ])("in mode %o strikes as %o", async (mode, expected) => {
    await configure(mode, { failCommands: ["find"], errorCode: 8 });

    expect(await codesOf(4, () => shelf.findOne())).toEqual(expected);
  });

  test("strikes only the client with the name it says", async () => {
    const other = await MongoClient.connect(uri, { appName: "shaky", retryReads: false });
    try {
      await configure("alwaysOn", { failCommands: ["find"], errorCode: 8, appName: "shaky" });

      const shaky = await codesOf(1, () => other.db(NAME).collection("shelf").findOne());

      expect(shaky).toEqual([8]);
      expect(await codesOf(1, () => shelf.findOne())).toEqual([0]);
    } finally {
      await other.close();
    }
  });
});

describe("a retryable write that meets what a set does", () => {
  const retried = retrying.db(NAME).collection<Document & { _id: number; n: number }>("retried");
  const writeConcernError = (code: number) => ({ writeConcernError: { code, errmsg: "not acknowledged" } });
  let lastId = 0;

  test.each<[string, Document]>([
    ["NotWritablePrimary", { errorCode: 10107 }],
    ["InterruptedDueToReplStateChange", { errorCode: 11602 }],
    ["PrimarySteppedDown", { errorCode: 189 }],
    ["ShutdownInProgress", { errorCode: 91 }],
    ["a write concern error of InterruptedDueToReplStateChange", writeConcernError(11602)],
    ["a connection that closes before it is done", { closeConnection: true }],
    ["a connection that closes after it was done", { closeConnectionAfterCommand: true }],
  ])("is sent again and done once: %s", async (_what, fault) => {
    const _id = ++lastId;
    const { count } = await configure({ times: 1 }, { failCommands: ["insert"], ...fault });

    await retried.insertOne({ _id, n: 0 });
    await configure({ times: 1 }, { failCommands: ["findAndModify"], ...fault });
    const changed = await retried.findOneAndUpdate({ _id }, { $inc: { n: 1 } }, { returnDocument: "after" });

    expect(changed).toEqual({ _id, n: 1 });
    expect(await retried.findOne({ _id })).toEqual({ _id, n: 1 });
    expect((await configure("off")).count).toBe(count + 2);
  });

  test("is not sent again after WriteConcernFailed: it was done", async () => {
    const _id = ++lastId;
    const { count } = await configure("alwaysOn", { failCommands: ["insert"], ...writeConcernError(64) });

    const error = await failureOf(retried.insertOne({ _id, n: 0 }));

    expect(error.code).toBe(64);
    expect(error.hasErrorLabel("RetryableWriteError")).toBe(false);
    expect((await configure("off")).count).toBe(count + 1);
    expect(await retried.countDocuments({ _id })).toBe(1);
  });

  test("carries the label of the server", async () => {
    const _id = ++lastId;
    await configure("alwaysOn", { failCommands: ["insert"], errorCode: 189 });
    const labelled = await failureOf(retried.insertOne({ _id, n: 0 }));

    expect(labelled.errorResponse.errorLabels).toEqual(["RetryableWriteError"]);
  });

  test("without a number carries no label", async () => {
    await configure("alwaysOn", { failCommands: ["insert"], errorCode: 189 });

    const error = await failureOf(shelf.insertOne({ _id: 90 }));

    expect(error.code).toBe(189);
    expect(error.hasErrorLabel("RetryableWriteError")).toBe(false);
  });

  describe("while its original is at work", () => {
    // From there on an answer names the statements that were done before.
    needsVersion("6.0");

    test("is done once where its original is held back and comes after it", async () => {
      const _id = ++lastId;
      await configure({ times: 1 }, { failCommands: ["insert"], blockConnection: true, blockTimeMS: 200 });
      const command = { insert: "retried", documents: [{ _id, n: 0 }], txnNumber: Long.fromNumber(1_000) };

      const replies = await retrying.withSession((session) => {
        const send = () => retrying.db(NAME).command({ ...command }, { session });
        return Promise.all([send(), send()]);
      });

      expect(replies).toMatchObject([{ n: 1 }, { n: 1 }]);
      expect(replies.filter(({ retriedStmtIds }) => retriedStmtIds)).toHaveLength(1);
      expect(await retried.countDocuments({ _id })).toBe(1);
    });
  });
});

describe("an engine that was not started for tests", () => {
  needsEngine("a server may be started for them");

  test("has none", async () => {
    const given = await givenStore();

    const error = await failureOf(
      given.client.db("admin").command({ configureFailPoint: "failCommand", mode: "off" }),
    );

    expect(error).toMatchObject({ code: 59, codeName: "CommandNotFound" });
  });
});
