import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestDatabase } from "#tests/support/databases/engine.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { run } from "#tests/support/programs/running.ts";
import { type Judged, runFolder } from "./unified/suite.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const fixtures = here("./unified/fixtures");
const { uri, client } = await openTestDatabase();

let judged: Judged[];

beforeAll(async () => {
  judged = await runFolder(fixtures, uri);
});
afterAll(() => client.db("unified_runner").dropDatabase());

const of = (file: string) => judged.filter((one) => one.file === file);
const outcomesOf = (file: string) => new Set(of(file).map(({ outcome }) => outcome));
const reasonsOf = (file: string) =>
  Object.fromEntries(of(file).map((one) => [one.test, "reason" in one ? one.reason : "none"]));

describe("the runner of unified tests", () => {
  test("passes every test that holds", () => {
    expect(of("holds.json").filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(of("holds.json")).toHaveLength(11);
  });

  test("fails every test that does not hold and says what was different", () => {
    expect(outcomesOf("fails.json")).toEqual(new Set(["failed"]));
    expect(reasonsOf("fails.json")).toMatchObject({
      "a wrong value in a result": 'operation 0 (findOne): result.title is "one" instead of "two"',
      "a missing field in a result": 'operation 0 (findOne): result.author is missing instead of "x"',
      "an extra field below the root": "operation 0 (findOne): result.size has unexpected fields: w",
      "too few documents": expect.stringContaining("result has 2 elements instead of 1"),
      "a field that should not exist": 'operation 0 (findOne): result.title exists: "one"',
      "a value of another type": 'operation 0 (findOne): result.title is not of type int: "one"',
      "a string of digits for a number": 'operation 0 (insertOne): result.insertedId is "3" instead of 3',
      "an error that was not expected": expect.stringContaining("it failed: MongoServerError: E11000"),
      "a success that was not expected": expect.stringContaining("it succeeded instead of failing"),
      "an error with another code": expect.stringContaining("not one with the code 26"),
      "an error of the server where one of the client is expected":
        expect.stringContaining("not of the client"),
      "an error that says something else": expect.stringContaining('not one that says "out of cheese"'),
      "a command that was not sent": 'event 0: command.aggregate is missing instead of "shelf"',
      "a command too many": "2 events instead of 0: commandStartedEvent(find), commandSucceededEvent(find)",
      "a command with another filter": "event 0: command.filter._id is 1 instead of 2",
      "a document left behind": expect.stringContaining("outcome of shelf has 3 elements instead of 2"),
      "a field left behind": "outcome of shelf[0] has an unexpected field x",
      "an operation that does not exist": "the runner has no operation shuffle on a collection",
      "an assertion that does not exist": "unknown assertion $$sounds",
      "an entity that does not exist": "there is no entity collection9",
      "an expected failure cannot hide an operation that does not exist":
        "the runner has no operation shuffle on a collection",
    });
  });

  test("fails a file of a schema it does not read", () => {
    expect(outcomesOf("schema.json")).toEqual(new Set(["failed"]));
    expect(reasonsOf("schema.json")).toEqual({
      "a later schema is not guessed at": "the runner does not read schema 2.0",
    });
  });

  test("sets aside what is meant for other servers, with the reason", () => {
    expect(outcomesOf("aside.json")).toEqual(new Set(["not applicable"]));
    expect(reasonsOf("aside.json")).toEqual({
      "a later server": "for servers from 99.0 on",
      "an earlier server": "for servers up to 2.6",
      "a sharded cluster of another age": "for servers up to 2.6, or for servers from 99.0 on",
      "a test that its author set aside": "not ready",
      "a parameter no server has": "for servers with the parameter noSuchParameter",
    });
  });

  test("exits 1 when there is nothing to run", async () => {
    const command = run(process.execPath, [here("./unified/run.ts"), here("./behaviour")], {
      env: { ...process.env, TEST_MONGODB_URI: uri },
    });

    const { code } = await command.exit;

    expect(code).toBe(1);
    expect(command.lines.at(-1)).toBe("0 passed, 0 failed");
  });
});

describe("the runner of unified tests, on a server without fail points", () => {
  needsEngine("a server may have them");

  test("sets aside what the server itself refuses, in the server's words", () => {
    expect(outcomesOf("refused.json")).toEqual(new Set(["not applicable"]));
    expect(reasonsOf("refused.json")["fail points"]).toMatch(/^the server refuses fail points \(\d+: .+\)$/);
  });

  test("prints the sums on the last line and exits 1 when a test failed", async () => {
    const command = run(process.execPath, [here("./unified/run.ts"), fixtures], {
      env: { ...process.env, TEST_MONGODB_URI: uri },
    });

    const { code } = await command.exit;

    expect(code).toBe(1);
    expect(command.lines.at(-1)).toBe("11 passed, 22 failed");
    expect(command.lines).toContain("6 not applicable");
  });
});
