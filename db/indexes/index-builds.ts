/**
 * Brings the indexes of the store to what the table wants. One that changed is built beside the old one, which goes only when the
 * new one stands: a rule of uniqueness holds all the while. Indexes cannot be renamed, so a changed one has the wanted name and a
 * number after it (`living_name.2`).
 */

import type { Collection, Document } from "mongodb";
import { MongoServerError } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { findCollisions, IndexNotBuilt } from "#db/indexes/index-collisions.ts";
import type { IndexSpec } from "#db/indexes/index-table.ts";
import { INDEXES } from "#db/indexes/indexes.ts";
import { required } from "#domain/required.ts";
import { listKeys } from "#domain/typed-keys.ts";

export type IndexState = "present" | "missing" | "different";
export type IndexReport = { collection: CollectionName; index: string; state: IndexState };
type FindCollection = (name: string) => Collection<Document>;
type Buildable = Pick<Collection, "createIndex" | "dropIndex" | "listIndexes" | "aggregate">;

const INDEX_NOT_FOUND = 27;
const NAMESPACE_NOT_FOUND = 26;
/** The server takes the new index for the old one under another name. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

const isAnswer = (error: unknown, code: number): error is MongoServerError =>
  error instanceof MongoServerError && error.code === code;

const findSpec = (collection: CollectionName, index: string): IndexSpec =>
  required(
    INDEXES[collection].find(({ name }) => name === index),
    `index ${index} in the table of ${collection}`,
  );

/** Creates what is missing and replaces what has other options. Safe to run at every release. */
export async function ensureIndexes(findCollection: FindCollection): Promise<void> {
  for (const name of listKeys(INDEXES)) {
    const collection = findCollection(name);
    const present = await listIndexes(collection);
    if (present.length === 0 && (await buildAllAtOnce(collection, INDEXES[name]))) continue;
    for (const spec of INDEXES[name])
      if (toIndexState(spec, present) !== "present")
        await buildIndex(collection, { collection: name, index: spec.name });
  }
}

/** Tells whether one command built all indexes of a collection that does not exist yet. One by one they tell what prevents them. */
async function buildAllAtOnce(of: Collection<Document>, specs: readonly IndexSpec[]): Promise<boolean> {
  if (specs.length === 0) return true;
  try {
    await of.createIndexes(specs.map(({ key, name, options }) => ({ ...options, key, name })));
    return true;
  } catch (error) {
    if (error instanceof MongoServerError) return false;
    throw error;
  }
}

/** Brings one index to what is wanted. Two who build it at once get the same index. */
export async function buildIndex(
  of: Buildable,
  { collection, index }: Pick<IndexReport, "collection" | "index">,
): Promise<void> {
  const spec = findSpec(collection, index);
  const { isBuilt, outdated } = findBuilt(spec, await listIndexes(of));
  if (!isBuilt) await buildBeside(of, collection, spec, outdated);
  await dropAll(of, outdated);
}

async function buildBeside(
  of: Buildable,
  collection: CollectionName,
  spec: IndexSpec,
  outdated: Document[],
): Promise<void> {
  const taken = new Set(outdated.map(({ name }) => String(name)));
  const names = [spec.name, ...Array.from(taken, (_, i) => `${spec.name}.${i + 2}`)];
  const name = required(
    names.find((free) => !taken.has(free)),
    "name that is free",
  );
  const build = () => of.createIndex(spec.key, { ...spec.options, name });
  try {
    await build();
  } catch (error) {
    if (isDuplicateKey(error))
      throw new IndexNotBuilt(collection, spec, await findCollisions(of, spec).catch(() => []));
    if (!(error instanceof MongoServerError && CONFLICTS.has(error.code)) || outdated.length === 0)
      throw error;
    const isUniqueBoth = spec.options?.unique === true && outdated.some(({ unique }) => unique);
    if (isUniqueBoth) throw new IndexNotBuilt(collection, spec, "old_server");
    // The two differ in what does not tell indexes apart, as the time of expiry: nothing is unique by it, so it may be missing a while.
    await dropAll(of, outdated);
    await build();
  }
}

async function dropAll(of: Buildable, outdated: Document[]): Promise<void> {
  for (const { name } of outdated)
    await of.dropIndex(name).catch((error) => {
      if (!isAnswer(error, INDEX_NOT_FOUND)) throw error;
    });
}

/** The state of each wanted index. Throws where it cannot be checked: that is not the same as missing. */
export async function verifyIndexes(findCollection: FindCollection): Promise<IndexReport[]> {
  const reports: IndexReport[] = [];
  for (const collection of listKeys(INDEXES)) {
    const present = await listIndexes(findCollection(collection));
    for (const spec of INDEXES[collection])
      reports.push({ collection, index: spec.name, state: toIndexState(spec, present) });
  }
  return reports;
}

/** The state of one wanted index. */
export async function findIndexState(
  of: Pick<Collection, "listIndexes">,
  collection: CollectionName,
  index: string,
): Promise<IndexState> {
  const spec = findSpec(collection, index);
  return toIndexState(spec, await listIndexes(of));
}

export async function listIndexes(collection: Pick<Collection, "listIndexes">): Promise<Document[]> {
  try {
    return await collection.listIndexes().toArray();
  } catch (error) {
    if (isAnswer(error, NAMESPACE_NOT_FOUND)) return [];
    throw error;
  }
}

/** Different, too, while an outdated index exists beside the new one, because the old rule still holds. */
export function toIndexState(spec: IndexSpec, present: Document[]): IndexState {
  const { isBuilt, outdated } = findBuilt(spec, present);
  if (outdated.length > 0) return "different";
  return isBuilt ? "present" : "missing";
}

/** Whether an index of the collection is this wanted one, or an edition of it. */
export function isEdition({ name }: IndexSpec, present: string): boolean {
  return present === name || (present.startsWith(`${name}.`) && /^\d+$/.test(present.slice(name.length + 1)));
}

function findBuilt(spec: IndexSpec, present: Document[]): { isBuilt: boolean; outdated: Document[] } {
  const editions = present.filter(({ name }) => isEdition(spec, String(name)));
  const outdated = editions.filter((found) => !isSame(spec, found));
  return { isBuilt: outdated.length < editions.length, outdated };
}

const COMPARED_OPTIONS = ["unique", "expireAfterSeconds", "partialFilterExpression"] as const;

function isSame(spec: IndexSpec, found: Document): boolean {
  const sameKey = JSON.stringify(Object.entries(spec.key)) === JSON.stringify(keyEntries(found.key));
  const sameOptions = COMPARED_OPTIONS.every(
    (option) =>
      JSON.stringify(spec.options?.[option] ?? false) === JSON.stringify(plain(found[option]) ?? false),
  );
  return sameKey && sameOptions;
}

function keyEntries(key: Document | Map<string, unknown>): [string, unknown][] {
  const entries = key instanceof Map ? [...key.entries()] : Object.entries(key);
  return entries.map(([field, direction]) => [field, Number(direction)]);
}

const plain = (value: unknown) =>
  typeof value === "object" && value instanceof Map ? Object.fromEntries(value) : value;
