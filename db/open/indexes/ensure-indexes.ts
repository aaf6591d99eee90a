import type { Collection, Document } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import {
  type Buildable,
  buildAllAtOnce,
  buildFromSpec,
  type IndexState,
  listIndexes,
  toIndexState,
} from "#db/core/indexes/index-builds.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { required } from "#domain/required.ts";
import { listKeys } from "#domain/typed-keys.ts";

export type IndexReport = { collection: CollectionName; index: string; state: IndexState };
type FindCollection = (name: string) => Collection<Document>;

/** Creates missing indexes and replaces those with other options. Safe to run at every release. */
export async function ensureIndexes(findCollection: FindCollection): Promise<void> {
  for (const name of listKeys(INDEXES)) {
    const collection = findCollection(name);
    const existing = await listIndexes(collection);
    if (existing.length === 0 && (await buildAllAtOnce(collection, INDEXES[name]))) continue;
    for (const spec of INDEXES[name])
      if (toIndexState(spec, existing) !== "present") await buildFromSpec(collection, name, spec);
  }
}

export function buildIndex(
  source: Buildable,
  { collection, index }: Pick<IndexReport, "collection" | "index">,
): Promise<void> {
  const spec = INDEXES[collection].find(({ name }) => name === index);
  return buildFromSpec(source, collection, required(spec, `index ${index} in the table of ${collection}`));
}

/** Throws if an index cannot be checked, which is not the same as missing. */
export async function verifyIndexes(findCollection: FindCollection): Promise<IndexReport[]> {
  const reports: IndexReport[] = [];
  for (const collection of listKeys(INDEXES)) {
    const existing = await listIndexes(findCollection(collection));
    for (const spec of INDEXES[collection])
      reports.push({ collection, index: spec.name, state: toIndexState(spec, existing) });
  }
  return reports;
}
