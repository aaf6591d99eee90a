/**
 * Kills the engine with -9 again and again under a stream of acknowledged writes, and compares what it then holds
 * with what it acknowledged. Each document carries a checksum of itself, so that half of one would show.
 */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collection, MongoClient } from "mongodb";
import { startEngine } from "./start-engine.ts";

const WRITERS = 8;
const MAX_ACKNOWLEDGED_PER_ROUND = 120;

interface Entry {
  _id: string;
  version: number;
  text: string;
  sum: string;
}

interface CrashReport {
  rounds: number;
  acknowledged: number;
  missing: number;
  torn: number;
  slowestRestartMs: number;
}

function entry(id: string, version: number): Entry {
  const text = `${id} ${"שלום world ".repeat(50 + (version % 50))}`;
  return { _id: id, version, text, sum: checksum(id, version, text) };
}

function checksum(id: string, version: number, text: string): string {
  return createHash("sha256").update(`${id}\n${version}\n${text}`).digest("hex");
}

/** Inserts and updates until the connection breaks; every acknowledged version goes into the ledger. */
async function writeUntilBroken(
  entries: Collection<Entry>,
  writer: string,
  ledger: Map<string, number>,
  acknowledged: () => void,
): Promise<void> {
  for (let n = 0; ; n++) {
    const id = `${writer}-${n}`;
    try {
      await entries.insertOne(entry(id, 1));
      ledger.set(id, 1);
      acknowledged();
      const { _id, ...changed } = entry(id, 2);
      await entries.updateOne({ _id, version: 1 }, { $set: changed });
      ledger.set(id, 2);
      acknowledged();
    } catch {
      return;
    }
  }
}

/** Starts, writes until a random number of acknowledgements, kills. Answers how long the start took. */
async function round(
  directory: string,
  sync: "full" | "normal",
  number: number,
  ledger: Map<string, number>,
): Promise<number> {
  const started = performance.now();
  const engine = await startEngine({ directory, sync });
  const tookMs = performance.now() - started;
  const client = await MongoClient.connect(engine.uri, {
    serverSelectionTimeoutMS: 1_000,
    maxPoolSize: WRITERS,
  });
  const entries = client.db("crash").collection<Entry>("entries");
  let remaining = 1 + Math.floor(Math.random() * MAX_ACKNOWLEDGED_PER_ROUND);
  const acknowledged = (): void => {
    if (--remaining === 0) process.kill(engine.pid, "SIGKILL");
  };
  await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilBroken(entries, `${number}-${writer}`, ledger, acknowledged),
    ),
  );
  await engine.exited;
  await client.close();
  return tookMs;
}

async function audit(
  directory: string,
  ledger: Map<string, number>,
): Promise<{ missing: number; torn: number }> {
  const engine = await startEngine({ directory, sync: "full" });
  const client = await MongoClient.connect(engine.uri);
  try {
    const stored = new Map<string, number>();
    let torn = 0;
    for await (const { _id, version, text, sum } of client.db("crash").collection<Entry>("entries").find()) {
      stored.set(_id, version);
      if (sum !== checksum(_id, version, text)) torn++;
    }
    const missing = [...ledger].filter(([id, version]) => (stored.get(id) ?? 0) < version).length;
    return { missing, torn };
  } finally {
    await client.close();
    await engine.stop();
  }
}

export async function crashRounds({
  rounds,
  sync,
}: {
  rounds: number;
  sync: "full" | "normal";
}): Promise<CrashReport> {
  const directory = await mkdtemp(join(tmpdir(), "codeshelf-crash-"));
  const ledger = new Map<string, number>();
  let slowestRestartMs = 0;
  for (let number = 0; number < rounds; number++)
    slowestRestartMs = Math.max(slowestRestartMs, await round(directory, sync, number, ledger));
  const verdict = await audit(directory, ledger);
  await rm(directory, { recursive: true, force: true });
  const acknowledged = [...ledger.values()].reduce((sum, version) => sum + version, 0);
  return { rounds, acknowledged, ...verdict, slowestRestartMs };
}
