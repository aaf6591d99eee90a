/** Databases of a part's own, in a directory of its own; all of it is gone afterwards. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEngine } from "#db/local/engine.ts";
import { startPostgres } from "./postgres.ts";

export type Ground = { directory: string; mongodbUri: string; databaseUrl: string };

export async function withGround<T>(work: (ground: Ground) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), "codeshelf-bench-"));
  const engine = await startEngine({ directory: join(root, "engine"), log: () => {} });
  const postgres = await startPostgres({ directory: join(root, "postgres"), log: () => {} });
  try {
    const directory = join(root, "data");
    return await work({ directory, mongodbUri: engine.uri, databaseUrl: postgres.url });
  } finally {
    await postgres.stop();
    await engine.stop();
    await rm(root, { recursive: true, force: true });
  }
}
