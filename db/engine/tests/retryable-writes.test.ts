import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collection, type CommandStartedEvent, MongoClient } from "mongodb";
import { afterAll, describe, expect, test } from "vitest";
import { drawRows } from "./engine-run.ts";
import { startLosingProxy } from "./losing-proxy.ts";
import { needsEngine } from "./server.ts";
import { startEngine } from "./start-engine.ts";

needsEngine("it kills the engine between a write and its answer");

type Entry = { _id: number; n: number };

const directory = await mkdtemp(join(tmpdir(), "codeshelf-retries-"));
let engine = await startEngine({ directory });
const proxy = await startLosingProxy(directory, decodeURIComponent(new URL(engine.uri).host));
const client = await MongoClient.connect(proxy.uri, { monitorCommands: true });
let sent: CommandStartedEvent[] = [];
client.on("commandStarted", (event) => sent.push(event));

afterAll(async () => {
  await client.close();
  await proxy.close();
  await engine.stop();
  await rm(directory, { recursive: true, force: true });
});

let shelves = 0;

async function givenShelf(): Promise<Collection<Entry>> {
  const shelf = client.db("retries").collection<Entry>(`shelf_${++shelves}`);
  await shelf.insertMany([
    { _id: 1, n: 0 },
    { _id: 2, n: 0 },
  ]);
  sent = [];
  return shelf;
}

const numbersOf = (command: string) =>
  sent.filter(({ commandName }) => commandName === command).map((event) => Number(event.command.txnNumber));

/** For each verb: its effect, the command it sends, its answer, and the state that it leaves when it was done once. */
const VERBS: [string, string, (shelf: Collection<Entry>) => Promise<unknown>, unknown, Entry[]][] = [
  [
    "insertOne",
    "insert",
    (shelf) => shelf.insertOne({ _id: 3, n: 3 }),
    { acknowledged: true, insertedId: 3 },
    [
      { _id: 1, n: 0 },
      { _id: 2, n: 0 },
      { _id: 3, n: 3 },
    ],
  ],
  [
    "updateOne",
    "update",
    (shelf) => shelf.updateOne({ _id: 1 }, { $inc: { n: 1 } }),
    { matchedCount: 1, modifiedCount: 1 },
    [
      { _id: 1, n: 1 },
      { _id: 2, n: 0 },
    ],
  ],
  ["deleteOne", "delete", (shelf) => shelf.deleteOne({ n: 0 }), { deletedCount: 1 }, [{ _id: 2, n: 0 }]],
  [
    "findOneAndUpdate",
    "findAndModify",
    (shelf) => shelf.findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } }, { returnDocument: "after" }),
    { _id: 1, n: 1 },
    [
      { _id: 1, n: 1 },
      { _id: 2, n: 0 },
    ],
  ],
  [
    "bulkWrite",
    "update",
    (shelf) =>
      shelf.bulkWrite([1, 2].map((_id) => ({ updateOne: { filter: { _id }, update: { $inc: { n: 1 } } } }))),
    { matchedCount: 2, modifiedCount: 2 },
    [
      { _id: 1, n: 1 },
      { _id: 2, n: 1 },
    ],
  ],
];

describe("a write whose answer is lost", () => {
  test.each(drawRows("answers lost", VERBS))(
    "by %s is sent again by the driver, done once and answered",
    async (_verb, command, act, answer, stored) => {
      const shelf = await givenShelf();
      const lost = proxy.loseAnswerTo(command);

      const answered = await act(shelf);
      await lost;

      expect(answered).toMatchObject(answer as object);
      const numbers = numbersOf(command);
      expect(numbers).toHaveLength(2);
      expect(numbers[0]).toBe(numbers[1]);
      expect(await shelf.find().sort({ _id: 1 }).toArray()).toEqual(stored);
    },
  );

  test.each(drawRows("killed before the answer", VERBS))(
    "by %s is done once although the engine is killed before the answer and started again",
    async (_verb, command, act, answer, stored) => {
      const shelf = await givenShelf();
      const lost = proxy.loseAnswerTo(command, () => process.kill(engine.pid, "SIGKILL"));

      const answering = act(shelf);
      await lost;
      await engine.exited;
      engine = await startEngine({ directory });

      expect(await answering).toMatchObject(answer as object);
      const numbers = numbersOf(command);
      expect(numbers.length).toBeGreaterThanOrEqual(2);
      expect(new Set(numbers).size).toBe(1);
      expect(await shelf.find().sort({ _id: 1 }).toArray()).toEqual(stored);
    },
  );
});
