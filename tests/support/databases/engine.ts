/** Document databases for tests: the MongoDB of TEST_MONGODB_URI, or the embedded engine. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Db, MongoClient } from "mongodb";
import { afterAll } from "vitest";
import * as local from "#db/local/engine.ts";
import { databaseName } from "./database-name.ts";
import { givenMongoDB } from "./given-mongodb.ts";
import { serverAddress } from "./server-address.ts";

export type TestDatabase = { uri: string; name: string; client: MongoClient; db: Db };

/**
 * Opens a database for the calling test file on the server that the whole run shares. Call it at the top of the file or in beforeAll. It
 * closes after the file's last test; on the engine it is dropped only if all tests passed.
 */
export const openTestDatabase = (): Promise<TestDatabase> =>
  openDatabase(databaseName(), (db) => db.dropDatabase());

/** The same under this name; after the last test `leave` is called in place of dropping it. */
export async function openDatabase(name: string, leave: (db: Db) => Promise<unknown>): Promise<TestDatabase> {
  const uri = givenMongoDB ?? (await serverAddress("engine"));
  const client = await MongoClient.connect(uri, { ignoreUndefined: true });
  const db = client.db(name);
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads this parameter's source and takes a pattern only
  afterAll(async ({}, suite) => {
    const red = suite.tasks.some((task) => task.result?.state === "fail");
    if (!red) await leave(db);
    else if (givenMongoDB) await db.dropDatabase();
    await client.close();
  });
  return { uri, name, client, db };
}

/** Starts an engine in a fresh directory that `stop` removes: for tests that stop, kill or fill it and declare that by `needsEngine`. */
export async function startEngine(
  options: Partial<local.EngineOptions> = {},
): Promise<local.EngineServer & { directory: string }> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "codeshelf-engine-")));
  const engine = await local.startEngine({ log: () => {}, sync: "normal", ...options, directory });
  return {
    ...engine,
    directory,
    async stop() {
      await engine.stop();
      if (!options.directory) await rm(directory, { recursive: true, force: true });
    },
  };
}
