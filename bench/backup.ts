/**
 * Backups of the embedded data: how fast 10,000 files (`--files=`; `--quick`: 1,000) are written and restored, beside compressing the
 * same file, and how long a write takes meanwhile. Then a backup is killed with SIGKILL 50 times (`--kills=`) under a writer, when the
 * copy of the documents or the archive has grown to a random size, and the next one is restored and compared document by document with the writer's account. Fails where a
 * half file has its final name or a document differs.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { createZstdCompress } from "node:zlib";
import { createBackup } from "#db/backups/create-backup.ts";
import { type Connection, connectMongo } from "#db/client.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { startEngine } from "#db/local/engine.ts";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { restoreData } from "#db/local/restore-data.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import type { Figure } from "./figures.ts";
import { option, quick } from "./options.ts";

const MEGABYTE = 1_000_000;
/** What the killed backups hold at least; random, so that the archive grows in many steps. */
const KILLED_DOCUMENTS = 400;
const KILLED_DOCUMENT_BYTES = 20_000;
const connect = (uri: string) => connectMongo(uri, { appName: "codeshelf-bench" });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return (performance.now() - since) / 1_000;
}

/** Writes one document after another and keeps an account of what was acknowledged, until it is stopped. */
function startWriter(mongo: Connection) {
  const account = new Map<string, object>();
  let stopped = false;
  let slowestMs = 0;
  const write = async () => {
    for (let i = 0; !stopped; i += 1) {
      const document = {
        _id: `w${process.hrtime.bigint()}`,
        user_id: "1",
        body: `text ${i} `.repeat(i % 300),
      };
      const since = performance.now();
      await mongo.collections.file_bodies.insertOne(document);
      slowestMs = Math.max(slowestMs, performance.now() - since);
      account.set(document._id, document);
    }
  };
  const writing = write();
  const stop = async () => {
    stopped = true;
    await writing;
    return slowestMs;
  };
  return { account, stop };
}

async function measureLibrary(home: string, files: number): Promise<Figure[]> {
  const data = join(home, "data");
  const engine = await startEngine({ directory: join(data, "engine"), log: console.error });
  const mongo = await connect(engine.uri);
  await ensureIndexes(mongo.collection);
  await fillLibrary(
    { ...mongo.collections, emit: () => {} },
    { ownerId: "1", from: 0, to: files, now: new Date() },
  );
  const file = join(home, "library.tar.zst");
  const quiet = startWriter(mongo);
  await pause(2_000);
  const quietMs = await quiet.stop();
  const writer = startWriter(mongo);
  let bytes = 0;
  const seconds = await timed(async () => {
    bytes = (await createBackup({ uri: engine.uri, dataDirectory: data, file, now: new Date() })).bytes;
  });
  const busyMs = await writer.stop();
  await mongo.close();
  await engine.stop();
  const bare = await timed(() =>
    pipeline(
      createReadStream(join(data, "engine", "engine.sqlite"), { highWaterMark: 1024 * 1024 }),
      createZstdCompress(),
      createWriteStream(join(home, "bare.zst")),
    ),
  );
  const restoring = await timed(() => restoreData(file, join(home, "restored")));
  const megabytes = bytes / MEGABYTE;
  const packed = (await stat(file)).size / MEGABYTE;
  return [
    { what: `backup of ${files} files`, ours: megabytes / seconds, baseline: megabytes / bare, unit: "MB/s" },
    { what: `restore of ${files} files`, ours: megabytes / restoring, unit: "MB/s" },
    { what: `the archive of ${files} files`, ours: packed, baseline: megabytes, unit: "MB" },
    { what: "the slowest write during a backup", ours: busyMs, baseline: quietMs, unit: "ms" },
  ];
}

/** What is written when the backup is killed, and how much of it. */
type Moment = { phase: "copying" | "archiving"; bytes: number };

/** How far a backup has come: -1 where the file does not exist yet. */
function measurePhase({ phase }: Moment, data: string, file: string): number {
  const directory = phase === "copying" ? join(data, "engine") : dirname(file);
  const isWritten = (name: string) =>
    phase === "copying" ? name === "snapshot.sqlite" : name.endsWith(".unfinished-backup");
  const name = readdirSync(directory).find(isWritten);
  return name === undefined ? -1 : (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? -1);
}

/** Kills a backup at the moment, and tells whether it was reached before the backup was done. */
async function killOne(data: string, file: string, moment: Moment): Promise<boolean> {
  const { MONGODB_URI: _, ...inherited } = process.env;
  const env = { ...inherited, DATA_DIR: data };
  const child = spawn(process.execPath, [join(PROJECT_ROOT, "db/local/backup.ts"), file], {
    env,
    stdio: "ignore",
  });
  const exited = once(child, "exit");
  while (child.exitCode === null && measurePhase(moment, data, file) < moment.bytes) await pause(1);
  const isReached = child.exitCode === null;
  child.kill("SIGKILL");
  await exited;
  return isReached;
}

/** Every fourth while the documents are copied, the others while the archive is written. */
function chooseMoment(i: number, copyBytes: number, archiveBytes: number): Moment {
  const phase = i % 4 === 0 ? "copying" : "archiving";
  return { phase, bytes: Math.floor(Math.random() * (phase === "copying" ? copyBytes : archiveBytes)) };
}

async function fillKilled(mongo: Connection, account: Map<string, object>): Promise<void> {
  const documents = Array.from({ length: KILLED_DOCUMENTS }, (_, i) => ({
    _id: `r${i}`,
    user_id: "1",
    body: randomBytes(KILLED_DOCUMENT_BYTES * 0.75).toString("base64"),
  }));
  await mongo.collections.file_bodies.insertMany(documents);
  for (const document of documents) account.set(document._id, document);
}

/** Every document of a restored directory is what was acknowledged; everything acknowledged before the backup is there. */
async function compare(
  directory: string,
  before: Set<string>,
  account: Map<string, object>,
): Promise<string[]> {
  const engine = await startEngine({ directory: join(directory, "engine"), log: console.error });
  const mongo = await connect(engine.uri);
  try {
    const stored = await mongo.collections.file_bodies.find({}).toArray();
    const ids = new Set(stored.map(({ _id }) => _id));
    const different = stored.filter((document) => !isDeepStrictEqual(document, account.get(document._id)));
    return [
      ...different.map(({ _id }) => `${_id} differs`),
      ...[...before].filter((id) => !ids.has(id)).map((id) => `${id} is lost`),
    ];
  } finally {
    await mongo.close();
    await engine.stop();
  }
}

async function killMany(home: string, kills: number): Promise<Figure[]> {
  const data = join(home, "killed");
  const engine = await startEngine({ directory: join(data, "engine"), log: console.error });
  const mongo = await connect(engine.uri);
  const account = new Map<string, object>();
  const wrong: string[] = [];
  await fillKilled(mongo, account);
  const reached = { copying: 0, archiving: 0 };
  const sizes = { copy: 0, archive: 0 };
  const backUp = async (file: string) => {
    sizes.copy = (await createBackup({ uri: engine.uri, dataDirectory: data, file, now: new Date() })).bytes;
    sizes.archive = (await stat(file)).size;
  };
  await backUp(join(home, "first.tar.zst"));
  for (let i = 0; i < kills; i += 1) {
    const writer = startWriter(mongo);
    const killed = join(home, `killed-${i}.tar.zst`);
    const moment = chooseMoment(i, sizes.copy, sizes.archive);
    if (await killOne(data, killed, moment)) reached[moment.phase] += 1;
    if (existsSync(killed)) {
      await restoreData(killed, join(home, "whole")).catch((error) =>
        wrong.push(`half a file: ${error.message}`),
      );
      await rm(join(home, "whole"), { recursive: true, force: true });
    }
    const before = new Set([...account.keys(), ...writer.account.keys()]);
    const file = join(home, `after-${i}.tar.zst`);
    await backUp(file);
    await writer.stop();
    for (const [id, document] of writer.account) account.set(id, document);
    const restored = join(home, "after");
    await restoreData(file, restored);
    wrong.push(...(await compare(restored, before, account)));
    for (const path of [restored, file, killed]) await rm(path, { recursive: true, force: true });
  }
  await mongo.close();
  await engine.stop();
  if (wrong.length > 0) throw new Error(`${wrong.length} wrong after kills: ${wrong.slice(0, 5).join("; ")}`);
  console.log(
    `${kills} backups killed, ${reached.copying} while the documents were copied, ${reached.archiving} while the archive was written; ${account.size} documents, none wrong`,
  );
  return [{ what: `documents lost or changed after ${kills} killed backups`, ours: 0, unit: "documents" }];
}

export async function run(): Promise<Figure[]> {
  const home = await mkdtemp(join(tmpdir(), "codeshelf-bench-backup-"));
  try {
    const figures = await measureLibrary(home, option("files", quick ? 1_000 : 10_000));
    return [...figures, ...(await killMany(home, option("kills", quick ? 5 : 50)))];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
