import type { Document } from "mongodb";
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import {
  type CheckedState,
  isIndexOrReplacement,
  listIndexes,
  toIndexState,
} from "#db/core/indexes/index-builds.ts";
import type { IndexSpec } from "#db/core/indexes/index-table.ts";
import { buildIndex, type IndexReport } from "#db/open/indexes/ensure-indexes.ts";
import { INDEXES } from "#db/open/indexes/indexes.ts";
import { listKeys } from "#domain/typed-keys.ts";

type IndexRow = {
  index: string;
  key: Record<string, 1 | -1>;
  options: Record<string, unknown>;
  state: CheckedState;
};
export type CollectionRow = {
  collection: CollectionName;
  indexes: IndexRow[];
  /** Existing indexes that are not in this version's table. */
  others: string[];
};

const ID_INDEX = "_id_";
const COLLECTIONS = listKeys(INDEXES);

/** Lists every collection with the table's indexes and all others. Never throws: an unreadable collection is unchecked. */
export function listIndexRows(db: Db): Promise<CollectionRow[]> {
  return Promise.all(COLLECTIONS.map((collection) => toCollectionRow(db, collection)));
}

async function toCollectionRow(db: Db, collection: CollectionName): Promise<CollectionRow> {
  const existing = await listIndexes(db[collection]).catch(() => null);
  const specs = INDEXES[collection];
  const others = (existing ?? []).map(({ name }) => String(name));
  return {
    collection,
    indexes: specs.map((index) => ({
      index: index.name,
      key: index.key,
      options: { ...index.options },
      state: toCheckedState(index, existing),
    })),
    others: others.filter(
      (name) => name !== ID_INDEX && !specs.some((index) => isIndexOrReplacement(index, name)),
    ),
  };
}

function toCheckedState(spec: IndexSpec, existing: Document[] | null): CheckedState {
  return existing === null ? "unchecked" : toIndexState(spec, existing);
}

type Built = { built: number; failed: number };

/** Builds missing and different indexes. If one fails, it emits an event and continues. */
export async function buildIndexes(
  db: Db,
  isChosen: (report: IndexReport) => boolean = () => true,
): Promise<Built> {
  const outcome = { built: 0, failed: 0 };
  for (const { collection, indexes } of await listIndexRows(db))
    for (const { index, state } of indexes) {
      if (state === "present" || state === "unchecked") continue;
      const report = { collection, index, state };
      if (!isChosen(report)) continue;
      const isDone = await tryBuilding(db, report);
      outcome[isDone ? "built" : "failed"]++;
    }
  return outcome;
}

async function tryBuilding(db: Db, report: IndexReport): Promise<boolean> {
  const { collection, index } = report;
  try {
    await buildIndex(db[collection], report);
    return true;
  } catch (fault) {
    const error = (fault instanceof Error ? fault.message : String(fault)).slice(0, 500);
    db.emit("db_index_create_error", { collection, index, error });
    return false;
  }
}
