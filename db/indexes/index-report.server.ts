import type { Document } from "mongodb";
import type { Db } from "#db/client.ts";
import type { CollectionName } from "#db/collections.ts";
import {
  buildIndex,
  type IndexReport,
  type IndexState,
  isEdition,
  listIndexes,
  toIndexState,
} from "#db/indexes/index-builds.ts";
import type { IndexSpec } from "#db/indexes/index-table.ts";
import { INDEXES } from "#db/indexes/indexes.ts";
import { listKeys } from "#domain/typed-keys.ts";

/** What an operator reads about indexes. One that could not be checked is not listed as missing. */
export type CheckedState = IndexState | "unchecked";
type IndexRow = {
  index: string;
  key: Record<string, 1 | -1>;
  options: Record<string, unknown>;
  state: CheckedState;
};
export type CollectionRow = {
  collection: CollectionName;
  indexes: IndexRow[];
  /** Present and not in the table of this version. */
  others: string[];
};

const ID_INDEX = "_id_";
const COLLECTIONS = listKeys(INDEXES);

/** Every collection with the indexes of the table and all others. Never throws: an unreadable collection is unchecked. */
export function listIndexRows(db: Db): Promise<CollectionRow[]> {
  return Promise.all(COLLECTIONS.map((collection) => checkCollection(db, collection)));
}

async function checkCollection(db: Db, collection: CollectionName): Promise<CollectionRow> {
  const present = await listIndexes(db[collection]).catch(() => null);
  const specs = INDEXES[collection];
  const others = (present ?? []).map(({ name }) => String(name));
  return {
    collection,
    indexes: specs.map((index) => ({
      index: index.name,
      key: index.key,
      options: { ...index.options },
      state: checkIndex(index, present),
    })),
    others: others.filter((name) => name !== ID_INDEX && !specs.some((index) => isEdition(index, name))),
  };
}

function checkIndex(spec: IndexSpec, present: Document[] | null): CheckedState {
  return present === null ? "unchecked" : toIndexState(spec, present);
}

export type Built = { built: number; failed: number };

/** Builds what is missing or different, and goes on where one cannot be built: the event says which and why. */
export async function buildIndexes(
  db: Db,
  chosen: (report: IndexReport) => boolean = () => true,
): Promise<Built> {
  const outcome = { built: 0, failed: 0 };
  for (const { collection, indexes } of await listIndexRows(db))
    for (const { index, state } of indexes) {
      if (state === "present" || state === "unchecked") continue;
      const report = { collection, index, state };
      if (!chosen(report)) continue;
      const done = await tryBuilding(db, report);
      outcome[done ? "built" : "failed"]++;
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
