/** Every behavioural test starts from this: a database of its file's own, and collections that no other test uses. */
import {
  type Collection,
  type CollectionOptions,
  type Db,
  type Document,
  MongoClient,
  type OptionalUnlessRequiredId,
} from "mongodb";
import { afterAll, inject } from "vitest";
import { databaseName, givenMongoDB } from "../server.ts";

interface Given {
  uri: string;
  client: MongoClient;
  db: Db;
  /** It exists once it has a document. */
  emptyCollection<T extends Document = Document>(options?: CollectionOptions): Collection<T>;
  collection<T extends Document = Document>(documents: T[]): Promise<Collection<T>>;
}

/** Call once at the top of a test file. */
export async function givenStore(): Promise<Given> {
  const uri = givenMongoDB ?? inject("engineAddress");
  const client = await MongoClient.connect(uri, { ignoreUndefined: true });
  const db = client.db(databaseName());
  afterAll(async () => {
    await db.dropDatabase();
    await client.close();
  });
  let created = 0;
  const store: Given = {
    uri,
    client,
    db,
    emptyCollection: (options) => db.collection(`shelf_${++created}`, options),
    collection: async <T extends Document>(documents: T[]) => {
      const collection = store.emptyCollection<T>();
      await collection.insertMany(documents as unknown as OptionalUnlessRequiredId<T>[]);
      return collection;
    },
  };
  return store;
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
