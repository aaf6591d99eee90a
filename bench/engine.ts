/**
 * The embedded document engine through the official driver, synced to disk, beside SQLite used directly for the same
 * rows; at 1,000, 10,000 and 100,000 documents of 3 KB. Then 100 times kill -9 under a stream of acknowledged writes (`--quick`:
 * without the largest size, and 10 times).
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collection, MongoClient } from "mongodb";
import { crashRounds } from "#db/engine/tests/crash-rounds.ts";
import { startEngine } from "#db/local/engine.ts";
import { itemAt, required } from "#domain/required.ts";
import { Floor } from "./engine-floor.ts";
import { type FileRow, fileRow, OWNER } from "./engine-rows.ts";
import type { Figure } from "./figures.ts";
import { ms, type Timing, time } from "./measure.ts";
import { quick } from "./options.ts";

const SIZES = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
const CALLS = quick ? 100 : 300;
const KILLS = quick ? 10 : 100;
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
    .find({}, { projection: { version: 1, services: 1 } })
    .limit(CALLS)
    .toArray();
  const any = (call: number) => known[call % known.length];
  return {
    insert: await time(CALLS, (call) => files.insertOne(fileRow(size + call))),
    "find by _id": await time(CALLS, (call) => files.findOne({ _id: required(any(call))._id })),
    "page of 20": await time(CALLS, () =>
      files.find({ owner: OWNER }).sort({ created_at: -1 }).limit(20).toArray(),
    ),
    "compare and swap": await time(CALLS, async (call) => {
      const row = required(any(call));
      const swapped = await files.findOneAndUpdate(
        { _id: row._id, version: row.version },
        { $inc: { version: 1 } },
      );
      if (!swapped) throw new Error("a lone compare-and-swap failed");
      row.version++;
    }),
    count: await time(CALLS, (call) =>
      files.countDocuments({ owner: OWNER, services: required(any(call)).services }),
    ),
  };
}

function toFigures(figures: Sized, floors: Sized): Figure[] {
  const [first, last] = [itemAt(SIZES, 0), required(SIZES.at(-1))];
  return Object.keys(required(figures.get(last))).flatMap((operation) => {
    const { p50 } = required(required(figures.get(last))[operation]);
    const smallest = required(required(figures.get(first))[operation]).p50;
    const growth = { atMost: MAX_GROWTH, of: "ratio" } as const;
    const floor = required(required(floors.get(last))[operation]).p50;
    return [
      { what: `${operation}, ${last} documents, beside SQLite`, ours: p50, baseline: floor, unit: "ms" },
      {
        what: `${operation}, ${last} documents, beside ${first}`,
        ours: p50,
        baseline: smallest,
        unit: "ms",
        goal: growth,
      },
    ];
  });
}

function printTable(figures: Sized, floors: Sized): void {
  const first = itemAt(SIZES, 0);
  const last = required(SIZES.at(-1));
  console.log(
    `\n${"operation".padEnd(18)}${SIZES.map((size) => `${size} p50/p95 ms (floor p50)`.padEnd(34)).join("")}growth p50`,
  );
  for (const operation of Object.keys(required(figures.get(first)))) {
    const cells = SIZES.map((size) => {
      const { p50, p95 } = required(figures.get(size)?.[operation]);
      return `${ms(p50)} / ${ms(p95)} (${ms(required(required(floors.get(size))[operation]).p50)})`.padEnd(
        34,
      );
    });
    const growth =
      required(required(figures.get(last))[operation]).p50 /
      required(required(figures.get(first))[operation]).p50;
    const verdict = growth <= MAX_GROWTH ? "" : `  above ${MAX_GROWTH}`;
    console.log(`${operation.padEnd(18)}${cells.join("")}${growth.toFixed(2)}${verdict}`);
  }
}

type Sized = Map<number, Record<string, Timing>>;

async function measureSizes(): Promise<Figure[]> {
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
      { key: { owner: 1, services: 1 } },
    ]);
    const figures: Sized = new Map();
    const floors: Sized = new Map();
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
    return toFigures(figures, floors);
  } finally {
    floor.close();
    await client.close();
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

export async function run(): Promise<Figure[]> {
  console.log("# The embedded document engine");
  const figures = await measureSizes();
  const crashes = await crashRounds({ rounds: KILLS, sync: "full" });
  console.log(
    `\nkill -9, ${crashes.rounds} times: ${crashes.acknowledged} writes acknowledged, ${crashes.missing} missing, ` +
      `${crashes.torn} torn; restarted in ${Math.round(crashes.slowestRestartMs)} ms at most`,
  );
  const lost = crashes.missing + crashes.torn;
  const goal = { atMost: 0 };
  return [
    ...figures,
    { what: `acknowledged writes missing or torn after ${KILLS} kills`, ours: lost, unit: "writes", goal },
    { what: "slowest start after a kill", ours: crashes.slowestRestartMs, unit: "ms" },
  ];
}
