import { type Document, MongoClient } from "mongodb";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { failureOf, givenStore } from "#tests/engine/behaviour/given.ts";
import { startEngine } from "#tests/support/engine.ts";

const engine = await startEngine({ testCommands: true });
const client = await MongoClient.connect(engine.uri, { retryReads: false });
const shelf = client.db("points").collection<Document & { _id: number }>("shelf");

const configure = (mode: unknown, data?: Document) =>
  client.db("admin").command({ configureFailPoint: "failCommand", mode, ...(data && { data }) });

afterEach(() => configure("off"));
afterAll(async () => {
  await client.close();
  await engine.stop();
});

/** What each of the tries came to: the code of its error, or 0. */
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
  test("fails the commands it names with its code and labels, and nothing is done", async () => {
    await configure("alwaysOn", { failCommands: ["insert"], errorCode: 10107, errorLabels: ["Shaky"] });

    const error = await failureOf(shelf.insertOne({ _id: 1 }));

    expect(error).toMatchObject({ code: 10107, codeName: "NotWritablePrimary" });
    expect(error.hasErrorLabel("Shaky")).toBe(true);
    expect(await shelf.countDocuments({ _id: 1 })).toBe(0);
  });

  test.each([
    [{ times: 2 }, [8, 8, 0, 0]],
    [{ skip: 2 }, [0, 0, 8, 8]],
    ["alwaysOn", [8, 8, 8, 8]],
    ["off", [0, 0, 0, 0]],
  ])("in mode %o strikes as %o", async (mode, expected) => {
    await configure(mode, { failCommands: ["find"], errorCode: 8 });

    expect(await codesOf(4, () => shelf.findOne())).toEqual(expected);
  });

  test("puts a write concern error beside a write that was done", async () => {
    const writeConcernError = { code: 91, errmsg: "going down" };
    await configure({ times: 1 }, { failCommands: ["insert"], writeConcernError, errorLabels: ["Shaky"] });

    const reply = await failureOf(shelf.insertOne({ _id: 2 }));

    expect(reply.code).toBe(91);
    expect(await shelf.countDocuments({ _id: 2 })).toBe(1);
  });

  test("closes the connection without an answer", async () => {
    await configure({ times: 1 }, { failCommands: ["find"], closeConnection: true });

    const error = await failureOf(shelf.findOne());

    expect(error.name).toBe("MongoNetworkError");
    expect(await shelf.findOne({ _id: 99 })).toBeNull();
  });

  test("holds a command back for as long as it says", async () => {
    await configure({ times: 1 }, { failCommands: ["ping"], blockConnection: true, blockTimeMS: 80 });
    const started = performance.now();

    await client.db("points").command({ ping: 1 });

    expect(performance.now() - started).toBeGreaterThanOrEqual(75);
  });

  test("strikes only the client with the name it says", async () => {
    const other = await MongoClient.connect(engine.uri, { appName: "shaky", retryReads: false });
    try {
      await configure("alwaysOn", { failCommands: ["find"], errorCode: 8, appName: "shaky" });

      const shaky = await codesOf(1, () => other.db("points").collection("shelf").findOne());

      expect(shaky).toEqual([8]);
      expect(await codesOf(1, () => shelf.findOne())).toEqual([0]);
    } finally {
      await other.close();
    }
  });

  test("counts how often it has struck", async () => {
    const { count } = await configure({ times: 2 }, { failCommands: ["find"], errorCode: 8 });

    await codesOf(3, () => shelf.findOne());

    expect((await configure("off")).count).toBe(count + 2);
  });

  test.each<[string, Document, number]>([
    ["of another name", { configureFailPoint: "flood", mode: "off" }, 238],
    ["of a chance", { configureFailPoint: "failCommand", mode: { activationProbability: 0.5 } }, 238],
    ["without a mode", { configureFailPoint: "failCommand" }, 2],
    [
      "with data it does not know",
      { configureFailPoint: "failCommand", mode: "off", data: { shiny: 1 } },
      238,
    ],
  ])("%s is refused", async (_what, command, code) => {
    expect((await failureOf(client.db("admin").command(command))).code).toBe(code);
  });

  test("is set through the admin database only", async () => {
    const command = { configureFailPoint: "failCommand", mode: "off" };

    expect((await failureOf(client.db("points").command(command))).code).toBe(13);
  });
});

test.skipIf(process.env.TEST_MONGODB_URI)("an engine that was not started for tests has none", async () => {
  const given = await givenStore();

  const error = await failureOf(
    given.client.db("admin").command({ configureFailPoint: "failCommand", mode: "off" }),
  );

  expect(error).toMatchObject({ code: 59, codeName: "CommandNotFound" });
});
