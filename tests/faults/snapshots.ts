/** The stored documents without random values, to compare two runs of a verb. */

import { Binary, type Collection, type Document, ObjectId } from "mongodb";
import type { Db, Stores } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import { itemAt } from "#domain/required.ts";

export type Snapshot = Record<string, unknown[]>;

const RANDOM_FIELDS = new Set([
  ...["alert_uid", "batches", "digest", "ending", "import_id", "key", "lease", "push_claim", "run_id"],
  ...["salt", "sealed_token", "secret", "session_key", "sync_run_id", "token", "unindexed", "worker_id"],
  // The next free slots.
  ...["slot", "user_slot", "target_slot"],
]);
const RANDOM_TEXT =
  /[0-9a-f]{24,}|[0-9a-f]{8}-[0-9a-f-]{27}|(?<=["/:. ~])[\w-]{22,}(?=["/:. ])|(?<=:\d+\.)[\w~-]{8,}/g;

const RANDOM_KEY = /^[\w-]{16,}$/;

export function maskRandom(value: unknown): unknown {
  return JSON.parse(JSON.stringify(maskValue(value, "")).replace(RANDOM_TEXT, "#"));
}

function maskValue(value: unknown, field: string): unknown {
  if (RANDOM_FIELDS.has(field) && value !== null && typeof value !== "object") return "#";
  if ((field === "_id" || field === "id") && typeof value === "string" && RANDOM_KEY.test(value)) return "#";
  if (value instanceof ObjectId) return "#";
  if (value instanceof Binary) return `#${value.length()}`;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) return maskValue(Object.fromEntries(value), field);
  if (Array.isArray(value)) return value.map((element) => maskValue(element, field));
  if (value === null || typeof value !== "object") return typeof value === "function" ? undefined : value;
  const fields = Object.keys(value).sort();
  return Object.fromEntries(fields.map((name) => [name, maskValue((value as Document)[name], name)]));
}

const collectionIn = (db: Db, name: CollectionName) => db[name] as unknown as Collection<Document>;

export function listCollections(db: Stores): CollectionName[] {
  const isCollection = (value: unknown) =>
    typeof value === "object" && value !== null && "collectionName" in value;
  return Object.keys(db).filter((name) => isCollection(db[name as CollectionName])) as CollectionName[];
}

export async function takeSnapshot(db: Db, names: readonly CollectionName[]): Promise<Snapshot> {
  const contents = await Promise.all(names.map((name) => collectionIn(db, name).find().toArray()));
  const masked = contents.map((docs) =>
    (maskRandom(docs) as unknown[]).map((doc) => JSON.stringify(doc)).sort(),
  );
  return Object.fromEntries(names.map((name, i) => [name, itemAt(masked, i).map((doc) => JSON.parse(doc))]));
}

export async function emptyCollections(db: Db, names: readonly CollectionName[]): Promise<void> {
  await Promise.all(names.map((name) => collectionIn(db, name).deleteMany({})));
}
