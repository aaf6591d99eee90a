/**
 * Builds the indexes of a table. A changed index is built beside the old one, which is dropped only after the new one exists, so a unique
 * index is enforced throughout. Indexes cannot be renamed, so a changed one has a number after its name (`living_name.2`).
 */

import type { Collection, Document } from "mongodb";
import { MongoServerError } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import { findCollisions, IndexNotBuilt } from "#db/core/indexes/index-collisions.ts";
import type { IndexSpec } from "#db/core/indexes/index-table.ts";
import { required } from "#domain/required.ts";

export type IndexState = "present" | "missing" | "different";
/** An index that could not be checked is not reported as missing. */
export type CheckedState = IndexState | "unchecked";
export type Buildable = Pick<Collection, "createIndex" | "dropIndex" | "listIndexes" | "aggregate">;

const INDEX_NOT_FOUND = 27;
const NAMESPACE_NOT_FOUND = 26;
/** The server considers the new index to be the old one under another name. */
const CONFLICTS: ReadonlySet<unknown> = new Set([85, 86]);

const isAnswer = (error: unknown, code: number): error is MongoServerError =>
  error instanceof MongoServerError && error.code === code;

/** Builds the indexes of a new collection with one command. False on failure: one by one they show which one fails. */
export async function buildAllAtOnce(
  to: Collection<Document>,
  specs: readonly IndexSpec[],
): Promise<boolean> {
  if (specs.length === 0) return true;
  try {
    await to.createIndexes(specs.map(({ key, name, options }) => ({ ...options, key, name })));
    return true;
  } catch (error) {
    if (error instanceof MongoServerError) return false;
    throw error;
  }
}

/** Builds or replaces an index. Two processes that build it at once get the same index. */
export async function buildFromSpec(
  source: Buildable,
  collection: CollectionName,
  spec: IndexSpec,
): Promise<void> {
  const { isBuilt, outdated } = findBuiltIndexes(spec, await listIndexes(source));
  if (!isBuilt) await buildBesideOutdated(source, collection, spec, outdated);
  await dropOutdated(source, outdated);
}

async function buildBesideOutdated(
  source: Buildable,
  collection: CollectionName,
  spec: IndexSpec,
  outdated: Document[],
): Promise<void> {
  const takenNames = new Set(outdated.map(({ name }) => String(name)));
  const names = [spec.name, ...Array.from(takenNames, (_, i) => `${spec.name}.${i + 2}`)];
  const name = required(
    names.find((candidate) => !takenNames.has(candidate)),
    "name that is free",
  );
  const build = () => source.createIndex(spec.key, { ...spec.options, name });
  try {
    await build();
  } catch (error) {
    if (isDuplicateKey(error))
      throw new IndexNotBuilt(collection, spec, await findCollisions(source, spec).catch(() => []));
    if (!(error instanceof MongoServerError && CONFLICTS.has(error.code)) || outdated.length === 0)
      throw error;
    const isUniqueBoth = spec.options?.unique === true && outdated.some(({ unique }) => unique);
    if (isUniqueBoth) throw new IndexNotBuilt(collection, spec, "old_server");
    // The indexes differ only in options that servers ignore for identity, such as the expiry. They are not unique, so the
    // index may be missing for a while.
    await dropOutdated(source, outdated);
    await build();
  }
}

async function dropOutdated(source: Buildable, outdated: Document[]): Promise<void> {
  for (const { name } of outdated)
    await source.dropIndex(name).catch((error) => {
      if (!isAnswer(error, INDEX_NOT_FOUND)) throw error;
    });
}

export async function listIndexes(collection: Pick<Collection, "listIndexes">): Promise<Document[]> {
  try {
    return await collection.listIndexes().toArray();
  } catch (error) {
    if (isAnswer(error, NAMESPACE_NOT_FOUND)) return [];
    throw error;
  }
}

/** An index is also different while an outdated one exists beside the new one, because the old rule still applies. */
export function toIndexState(spec: IndexSpec, present: Document[]): IndexState {
  const { isBuilt, outdated } = findBuiltIndexes(spec, present);
  if (outdated.length > 0) return "different";
  return isBuilt ? "present" : "missing";
}

/** True if an existing index is this one or a numbered replacement of it. */
export function isIndexOrReplacement({ name }: IndexSpec, present: string): boolean {
  return present === name || (present.startsWith(`${name}.`) && /^\d+$/.test(present.slice(name.length + 1)));
}

function findBuiltIndexes(spec: IndexSpec, present: Document[]): { isBuilt: boolean; outdated: Document[] } {
  const editions = present.filter(({ name }) => isIndexOrReplacement(spec, String(name)));
  const outdated = editions.filter((edition) => !matchesSpec(spec, edition));
  return { isBuilt: outdated.length < editions.length, outdated };
}

const COMPARED_OPTIONS = ["unique", "expireAfterSeconds", "partialFilterExpression"] as const;

function matchesSpec(spec: IndexSpec, existing: Document): boolean {
  const hasSameKey = JSON.stringify(Object.entries(spec.key)) === JSON.stringify(keyEntries(existing.key));
  const hasSameOptions = COMPARED_OPTIONS.every(
    (option) =>
      JSON.stringify(spec.options?.[option] ?? false) === JSON.stringify(toPlain(existing[option]) ?? false),
  );
  return hasSameKey && hasSameOptions;
}

function keyEntries(key: Document | Map<string, unknown>): [string, unknown][] {
  const entries = key instanceof Map ? [...key.entries()] : Object.entries(key);
  return entries.map(([field, direction]) => [field, Number(direction)]);
}

const toPlain = (value: unknown) =>
  typeof value === "object" && value instanceof Map ? Object.fromEntries(value) : value;
