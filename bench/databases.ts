/** Databases of a part's own, in a directory of its own; all of it is gone afterwards. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectMongo, type Db } from "#db/client.ts";
import { installQueue } from "#db/jobs/queue.server.ts";
import { startEngine } from "#db/local/engine.ts";
import { startPostgres } from "#db/local/postgres/postgres.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { silentLog } from "#platform/log.ts";
import { givenMongoDB, newGivenDatabase } from "#tests/support/databases/given-mongodb.ts";
import { leash } from "#tests/support/programs/leash.ts";

export type BenchDatabases = {
  directory: string;
  mongodbUri: string;
  databaseUrl: string;
  /** The process of the embedded engine, for what it costs; another server may be on another machine. */
  enginePid: number | null;
};
export type BenchStore = { databases: BenchDatabases; mongo: Connection; db: Db };

/** Closes in reverse order what was opened, also after a failure. */
export type Closing = (close: () => unknown) => void;
export async function withClosing<T>(work: (closing: Closing) => Promise<T>): Promise<T> {
  const opened: (() => unknown)[] = [];
  try {
    return await work((close) => opened.push(close));
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

/** An engine of its own, synced to disk, or a database of its own on the MongoDB that `--mongodb` names. */
async function startDocuments(root: string) {
  if (givenMongoDB) {
    const { uri, drop } = newGivenDatabase(givenMongoDB, "part");
    return { uri, pid: null, stop: drop };
  }
  return startEngine({ directory: join(root, "engine"), log: () => {} });
}

export function withDatabases<T>(work: (databases: BenchDatabases) => Promise<T>): Promise<T> {
  return withClosing(async (closing) => {
    const root = await mkdtemp(join(tmpdir(), "codeshelf-bench-"));
    closing(() => rm(root, { recursive: true, force: true }));
    const documents = await startDocuments(root);
    closing(() => documents.stop());
    const postgres = await startPostgres({ directory: join(root, "postgres"), log: () => {} });
    // PostgreSQL ends with this process also after an interruption.
    const takeOff = leash(postgres.pid);
    closing(() => postgres.stop().finally(takeOff));
    const directory = join(root, "data");
    await mkdir(directory);
    const { uri: mongodbUri, pid: enginePid } = documents;
    return work({ directory, mongodbUri, databaseUrl: postgres.url, enginePid });
  });
}

/** The same for parts that also write into the document store themselves, with its indexes and the queue's tables made. */
export function withStore<T>(work: (store: BenchStore) => Promise<T>): Promise<T> {
  return withDatabases(async (databases) => {
    const { mongodbUri, databaseUrl } = databases;
    const mongo = await connectMongo(mongodbUri, { appName: "codeshelf-bench", timeoutMs: 60_000 });
    try {
      await ensureIndexes(mongo.collection);
      await installQueue({ databaseUrl, log: silentLog });
      return await work({ databases, mongo, db: { ...mongo.collections, emit: () => {} } });
    } finally {
      await mongo.close();
    }
  });
}
