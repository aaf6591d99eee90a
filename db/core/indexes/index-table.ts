import type { CreateIndexesOptions } from "mongodb";
import type { CollectionName } from "#db/collections.ts";

type Key = Record<string, 1 | -1>;
export type IndexSpec = { name: string; key: Key; options?: CreateIndexesOptions };
type IndexTable<Name extends CollectionName> = Record<Name, readonly IndexSpec[]>;

/** Defines the indexes of some collections. A collection that is only read by id has an empty row. */
export function defineIndexes<Name extends CollectionName>(table: IndexTable<Name>): IndexTable<Name> {
  return table;
}
