/**
 * Every behavioural test starts from this: a database of its file's own, on the MongoDB that TEST_MONGODB_URI
 * names or else on the engine, and collections that no other test uses.
 */
import type { Collection, CollectionOptions, Document, OptionalUnlessRequiredId } from "mongodb";
import { openTestDatabase, type TestDatabase } from "#tests/support/databases/engine.ts";

interface Given extends TestDatabase {
  /** It exists once it has a document. */
  emptyCollection<T extends Document = Document>(options?: CollectionOptions): Collection<T>;
  collection<T extends Document = Document>(documents: T[]): Promise<Collection<T>>;
}

/** Call once at the top of a test file. */
export async function givenStore(): Promise<Given> {
  const database = await openTestDatabase();
  let made = 0;
  const given: Given = {
    ...database,
    emptyCollection: (options) => database.db.collection(`shelf_${++made}`, options),
    collection: async <T extends Document>(documents: T[]) => {
      const collection = given.emptyCollection<T>();
      await collection.insertMany(documents as unknown as OptionalUnlessRequiredId<T>[]);
      return collection;
    },
  };
  return given;
}

/** The error that the promise is rejected with; a promise that succeeds is a failure of the test. */
export async function failureOf(promise: Promise<unknown>): Promise<Document & Error> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: Error) => ({ error }),
  );
  if ("value" in outcome) throw new Error(`it succeeded with ${JSON.stringify(outcome.value)}`);
  return outcome.error;
}
