import type { Collection, Document, Filter } from "mongodb";
import type { CollectionName, Collections } from "#db/collections.ts";

/** For work that is the same for all collections, because the driver's types of two collections have no common base. */
export function asUntypedCollection(collection: Collections[CollectionName]): Collection<Document> {
  return collection as unknown as Collection<Document>;
}

/**
 * A filter for documents whose type only the caller knows, or with a field chosen at runtime: the driver's type names every
 * field, and the compiler cannot check that.
 */
export function asFilter<Doc>(filter: object): Filter<Doc> {
  return filter as Filter<Doc>;
}
