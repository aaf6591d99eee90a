import { MongoClient } from "mongodb";
import { afterAll, describe, expect, test } from "vitest";
import { needsEngine } from "./server.ts";
import { startEngine } from "./start-engine.ts";

needsEngine("it is about what the engine says of itself");

const engine = await startEngine({ tcp: true });
const host = new URL(engine.uri).host;
afterAll(() => engine.stop());

async function connected<T>(uri: string, act: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = await MongoClient.connect(uri);
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

const withoutDirectConnection = engine.uri.replace("&directConnection=true", "");

describe("the engine is a replica set of one", () => {
  test("says in its hello that it is the primary of its set", async () => {
    const hello = await connected(engine.uri, (client) => client.db("admin").command({ hello: 1 }));

    expect(hello).toMatchObject({
      isWritablePrimary: true,
      secondary: false,
      setName: "codeshelf",
      setVersion: 1,
      hosts: [host],
      primary: host,
      me: host,
      logicalSessionTimeoutMinutes: 30,
    });
    expect(hello.electionId).toBeDefined();
  });

  test.each([
    ["at its address", engine.uri],
    ["as a set that is found through its member", withoutDirectConnection],
    ["as a set that is named", `${withoutDirectConnection}&replicaSet=codeshelf`],
  ])("is reached %s, and writes carry numbers", async (_how, uri) => {
    const numbers: unknown[] = [];

    const stored = await connected(uri, async (client) => {
      const monitored = await MongoClient.connect(uri, { monitorCommands: true });
      monitored.on("commandStarted", ({ command }) => numbers.push(command.txnNumber));
      await monitored.db("set").collection("shelf").insertOne({});
      await monitored.close();
      return client.db("set").collection("shelf").countDocuments();
    });

    expect(stored).toBeGreaterThan(0);
    expect(Number(numbers[0])).toBe(1);
  });
});
