import { MongoServerError } from "mongodb";
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { listIndexes } from "#db/core/indexes/index-builds.ts";
import { HOUR_MS } from "#domain/time/durations.ts";
import { listKeys } from "#domain/typed-keys.ts";

/** Indexes of earlier versions that nothing uses. These names are never reused. */
export const RETIRED_INDEXES: Partial<Record<CollectionName, readonly string[]>> = {
  files: ["by_name", "files_of_tag"],
  folder_trees: ["expiring"],
};

/** After this time, no process of the previous version, which uses retired indexes, is running. */
const REPLACED_AFTER_MS = HOUR_MS;
const INDEX_NOT_FOUND = 27;

/** Drops retired indexes and returns their names; none while the previous version may still run. */
export async function dropRetiredIndexes(db: Db, runningForMs: number): Promise<string[]> {
  if (runningForMs < REPLACED_AFTER_MS) return [];
  const dropped: string[] = [];
  for (const name of listKeys(RETIRED_INDEXES)) {
    const [collection, retired = []] = [db[name], RETIRED_INDEXES[name]];
    for (const { name: index } of await listIndexes(collection)) {
      if (!retired.includes(index)) continue;
      await collection.dropIndex(index).catch(ignoreMissing);
      dropped.push(`${name}.${index}`);
    }
  }
  return dropped;
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
}
