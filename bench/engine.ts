/**
 * The embedded document engine through the official driver, synced to disk, beside SQLite used directly for the same
 * rows; at 1,000, 10,000 and 100,000 documents of 3 KB. Then 100 times kill -9 under a stream of acknowledged writes.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collection, MongoClient } from "mongodb";
import { startEngine } from "#db/local/engine.ts";
import { crashRounds } from "#tests/engine/crash.ts";
import { Floor } from "./engine-floor.ts";
import { type FileRow, fileRow, OWNER } from "./engine-rows.ts";
import { ms, type Timing, time } from "./measure.ts";

const SIZES = [1_000, 10_000, 100_000];
const CALLS = 300;
const KILLS = 100;
const MAX_GROWTH = 1.5;

async function growTo(files: Collection<FileRow>, size: number): Promise<number> {
  const started = performance.now();
  const present = await files.estimatedDocumentCount();
  for (let at = present; at < size; at += 1_000)
    await files.insertMany(Array.from({ length: Math.min(1_000, size - at) }, (_, i) => fileRow(at + i)));
  return (size - present) / ((performance.now() - started) / 1000);
}

async function measure(files: Collection<FileRow>): Promise<Record<string, Timing>> {
  const size = await files.estimatedDocumentCount();
  const known = await files
    .find({}, { projection: { version: 1, shelf: 1 } })
    .limit(CALLS)
    .toArray();
  const any = (call: number) => known[call % known.length];
  return {
    insert: await time(CALLS, (call) => files.insertOne(fileRow(size + call))),
    "find by _id": await time(CALLS, (call) => files.findOne({ _id: any(call)._id })),
    "page of 20": await time(CALLS, () =>
      files.find({ owner: OWNER }).sort({ created_at: -1 }).limit(20).toArray(),
    ),
    "compare and swap": await time(CALLS, async (call) => {
      const row = any(call);
      const swapped = await files.findOneAndUpdate(
        { _id: row._id, version: row.version },
        { $inc: { version: 1 } },
      );
      if (!swapped) throw new Error("a lone compare-and-swap failed");
      row.version++;
    }),
    count: await time(CALLS, (call) => files.countDocuments({ owner: OWNER, shelf: any(call).shelf })),
  };
}

function printTable(
  figures: Map<number, Record<string, Timing>>,
  floors: Map<number, Record<string, Timing>>,
): void {
  const [first] = SIZES;
  const last = SIZES.at(-1)!;
  console.log(
    `\n${"operation".padEnd(18)}${SIZES.map((size) => `${size} p50/p95 ms (floor p50)`.padEnd(34)).join("")}growth p50`,
  );
  for (const operation of Object.keys(figures.get(first)!)) {
    const cells = SIZES.map((size) => {
      const { p50, p95 } = figures.get(size)![operation];
      return `${ms(p50)} / ${ms(p95)} (${ms(floors.get(size)![operation].p50)})`.padEnd(34);
    });
    const growth = figures.get(last)![operation].p50 / figures.get(first)![operation].p50;
    const verdict = growth <= MAX_GROWTH ? "" : `  above ${MAX_GROWTH}`;
    console.log(`${operation.padEnd(18)}${cells.join("")}${growth.toFixed(2)}${verdict}`);
  }
}

async function measureSizes(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-bench-"));
  const engine = await startEngine({ directory: join(directory, "engine"), log: console.error });
  const client = await MongoClient.connect(engine.uri);
  const floor = new Floor(directory);
  try {
    const files = client.db("bench").collection<FileRow>("files");
    await files.createIndexes([
      { key: { owner: 1, created_at: -1 } },
      { key: { owner: 1, name: 1 } },
      { key: { owner: 1, language: 1, created_at: -1 } },
      { key: { owner: 1, shelf: 1 } },
    ]);
    const figures = new Map<number, Record<string, Timing>>();
    const floors = new Map<number, Record<string, Timing>>();
    for (const size of SIZES) {
      const perSecond = await growTo(files, size);
      floor.growTo(size);
      console.log(`${size} documents: bulk insert ${Math.round(perSecond)} documents/s`);
      figures.set(size, await measure(files));
      floors.set(size, await floor.measure(CALLS));
    }
    printTable(figures, floors);
    const { mem } = await client.db("admin").command({ serverStatus: 1 });
    console.log(`engine resident: ${mem.resident} MB`);
  } finally {
    floor.close();
    await client.close();
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

export async function run(): Promise<void> {
  console.log("# The embedded document engine");
  await measureSizes();
  const crashes = await crashRounds({ rounds: KILLS, sync: "full" });
  console.log(
    `\nkill -9, ${crashes.rounds} times: ${crashes.acknowledged} writes acknowledged, ${crashes.missing} missing, ` +
      `${crashes.torn} torn; restarted in ${Math.round(crashes.slowestRestartMs)} ms at most`,
  );
}
