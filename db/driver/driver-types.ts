import type { Collection, Document, Filter } from "mongodb";
import type { CollectionName, Collections } from "#db/collections.ts";

/** A collection for work that is the same on all of them: the driver's types of two collections have no common base. */
export function untyped(collection: Collections[CollectionName]): Collection<Document> {
  return collection as unknown as Collection<Document>;
}

/**
 * A filter on documents whose type only the caller knows, or by a field that is chosen while the program runs: the driver's type
 * names every field, and the compiler cannot follow it there.
 */
export function asFilter<Doc>(filter: object): Filter<Doc> {
  return filter as Filter<Doc>;
}
