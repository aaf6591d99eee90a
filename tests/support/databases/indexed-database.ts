import type { Collection } from "mongodb";
import { toIndexState } from "#db/core/indexes/index-builds.ts";
import type { IndexSpec } from "#db/core/indexes/index-table.ts";
import { ensureIndexes } from "#db/open/indexes/ensure-indexes.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { databaseName } from "./database-name.ts";
import { openDatabase, type TestDatabase } from "./engine.ts";
import { freeDatabases } from "./server-address.ts";

/**
 * An empty database with all indexes of the product. A file without failed tests leaves its own, emptied, to a later file: making 121
 * indexes and dropping them takes longer than most files run.
 */
export async function openIndexedDatabase(): Promise<TestDatabase> {
  const free = await freeDatabases.take();
  const database = await openDatabase(free || databaseName(), async (db) => {
    const collections = await db.collections();
    const counts = await Promise.all(collections.map(countDeletable));
    if (counts.includes(null)) return db.dropDatabase();
    const filled = collections.filter((_, i) => counts[i] !== 0);
    await Promise.all(filled.map((collection) => collection.deleteMany({})));
    return freeDatabases.add(db.databaseName);
  });
  if (!free) await ensureIndexes((name) => database.db.collection(name));
  return database;
}

/** To delete more documents one by one takes longer than to make all indexes. */
const DOCUMENTS_MAX = 500;

/** The documents of a collection; null where they are too many, or where it has other indexes than a release gives it. */
async function countDeletable(collection: Collection): Promise<number | null> {
  const documents = await collection.estimatedDocumentCount();
  const specs = new Map<string, readonly IndexSpec[]>(Object.entries(INDEXES)).get(collection.collectionName);
  const present = await collection.listIndexes().toArray();
  const names = new Set(present.map(({ name }) => name));
  const isAsReleased =
    // The one on the id is in no table.
    specs?.length === present.length - 1 &&
    specs.every((spec) => names.has(spec.name) && toIndexState(spec, present) === "present");
  return isAsReleased && documents <= DOCUMENTS_MAX ? documents : null;
}
