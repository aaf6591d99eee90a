/** How much room a collection takes, counted page by page on demand: a question for people, not for programs. */
import { present } from "../values/present.ts";
import type { Collection } from "./collection.ts";
import type { Store } from "./store.ts";

interface Sizes {
  documents: number;
  /** Bytes of all documents together. */
  data: number;
  /** Bytes of the pages that hold them. */
  storage: number;
  /** Bytes of the pages of each index. */
  indexes: Map<string, number>;
}

function pagesOf(store: Store, table: string): number {
  const row = store
    .statement("SELECT sum(pgsize) AS n FROM dbstat WHERE name = ? AND aggregate = TRUE")
    .get(table);
  return Number(row?.n ?? 0);
}

export function sizesOf(store: Store, collection: Collection): Sizes {
  const { id, indexes } = collection;
  const data = present(store.statement(`SELECT coalesce(sum(length(doc)), 0) AS n FROM c${id}`).get())
    .n as number;
  return {
    documents: collection.count,
    data,
    storage: pagesOf(store, `c${id}`),
    indexes: new Map([
      ["_id_", pagesOf(store, `sqlite_autoindex_c${id}_1`)],
      ...indexes.map((index): [string, number] => [index.name, pagesOf(store, `x${index.id}`)]),
    ]),
  };
}

export function indexBytes({ indexes }: Sizes): number {
  return indexes.values().reduce((sum, bytes) => sum + bytes, 0);
}

export function totalSizes(all: Sizes[]): { [K in "documents" | "data" | "storage" | "indexes"]: number } {
  const sum = (bytes: (sizes: Sizes) => number): number =>
    all.reduce((total, sizes) => total + bytes(sizes), 0);
  return {
    documents: sum(({ documents }) => documents),
    data: sum(({ data }) => data),
    storage: sum(({ storage }) => storage),
    indexes: sum(indexBytes),
  };
}
