/** Databases of a part's own, in a directory of its own; all of it is gone afterwards. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, connectMongo } from "#db/client.ts";
import { ensureIndexes } from "#db/indexes/index-builds.ts";
import { startDocuments } from "./documents.ts";
import { startPostgres } from "./postgres.ts";

export type BenchDatabases = {
  directory: string;
  mongodbUri: string;
  databaseUrl: string;
  /** The process of the embedded engine, where it is one. */
  enginePid?: number | null;
};

export async function withDatabases<T>(work: (databases: BenchDatabases) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "codeshelf-bench-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(root, { recursive: true, force: true })];
  try {
    const documents = await startDocuments(root);
    closing.push(() => documents.stop());
    const postgres = await startPostgres({ directory: join(root, "postgres"), log: () => {} });
    closing.push(() => postgres.stop());
    const directory = join(root, "data");
    await mkdir(directory);
    return await work({
      directory,
      mongodbUri: documents.uri,
      databaseUrl: postgres.url,
      enginePid: documents.enginePid,
    });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** The same for parts that also write into the document store themselves, its indexes made. */
export function withStore<T>(work: (databases: BenchDatabases, mongo: Connection) => Promise<T>): Promise<T> {
  return withDatabases(async (databases) => {
    const mongo = await connectMongo(databases.mongodbUri, { appName: "codeshelf-bench" });
    try {
      await ensureIndexes(mongo.collection);
      return await work(databases, mongo);
    } finally {
      await mongo.close();
    }
  });
}
