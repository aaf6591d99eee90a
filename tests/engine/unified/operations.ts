/** What a test may do to each kind of entity, one table per kind. An operation that no table names is an error. */
import type {
  AbstractCursor,
  AnyBulkWriteOperation,
  AnyClientBulkWriteModel,
  Collection,
  Db,
  Document,
  IndexSpecification,
} from "mongodb";
import { type Entities, type Entity, type Kind, type Kinds, scopeOptions } from "./entities.ts";
import { only } from "./format.ts";

type Perform<T> = (target: T, args: Document) => unknown;

/** Their results are cursors' documents, so each one is matched as a root document. */
export const ITERABLE = new Set([
  "aggregate",
  "find",
  "listCollections",
  "listDatabases",
  "listIndexes",
  "runCursorCommand",
]);

const CLIENT: Record<string, Perform<Kinds["client"]>> = {
  clientBulkWrite: ({ client }, { models, ...options }) =>
    client.bulkWrite(
      models.map((tagged: Record<string, Document>) => {
        const [name, model] = only(tagged);
        return { name, ...model } as AnyClientBulkWriteModel<Document>;
      }),
      options,
    ),
  listDatabases: async ({ client }, args) => (await client.db().admin().listDatabases(args)).databases,
  listDatabaseNames: async ({ client }, args) => {
    const { databases } = await client
      .db()
      .admin()
      .listDatabases({ nameOnly: true, ...args });
    return databases.map(({ name }) => name);
  },
  close: (observed) => observed.close(),
};

const DATABASE: Record<string, Perform<Db>> = {
  aggregate: (db, { pipeline, ...options }) => db.aggregate(pipeline, options).toArray(),
  createCollection: async (db, { collection, ...options }) =>
    void (await db.createCollection(collection, options)),
  dropCollection: (db, { collection, ...options }) => db.dropCollection(collection, options),
  listCollections: (db, { filter, ...options }) => db.listCollections(filter, options).toArray(),
  listCollectionNames: async (db, { filter, ...options }) => {
    const found = await db.listCollections(filter, { ...options, nameOnly: true }).toArray();
    return found.map(({ name }) => name);
  },
  modifyCollection: (db, { collection, session, ...options }) =>
    db.command({ collMod: collection, ...options }, session && { session }),
  runCommand: (db, { command, commandName: _, ...options }) => db.command(command, options),
  runCursorCommand: (db, args) => commandCursor(db, args).toArray(),
  createCommandCursor: (db, args) => opened(commandCursor(db, args)),
};

const COLLECTION: Record<string, Perform<Collection>> = {
  aggregate: (collection, { pipeline, ...options }) => collection.aggregate(pipeline, options).toArray(),
  bulkWrite: (collection, { requests, ...options }) =>
    collection.bulkWrite(requests as AnyBulkWriteOperation[], options),
  count: (collection, { filter, ...options }) => collection.count(filter, options),
  countDocuments: (collection, { filter, ...options }) => collection.countDocuments(filter, options),
  createFindCursor: (collection, { filter, ...options }) => opened(collection.find(filter, options)),
  createIndex: (collection, { keys, ...options }) =>
    collection.createIndex(keys as IndexSpecification, options),
  deleteMany: (collection, { filter, ...options }) => collection.deleteMany(filter, options),
  deleteOne: (collection, { filter, ...options }) => collection.deleteOne(filter, options),
  distinct: (collection, { fieldName, filter, ...options }) =>
    collection.distinct(fieldName, filter, options),
  drop: (collection, options) => collection.drop(options),
  dropIndex: (collection, { name, ...options }) => collection.dropIndex(name, options),
  dropIndexes: (collection, options) => collection.dropIndexes(options),
  estimatedDocumentCount: (collection, options) => collection.estimatedDocumentCount(options),
  find: (collection, { filter, ...options }) => collection.find(filter, options).toArray(),
  findOne: (collection, { filter, ...options }) => collection.findOne(filter, options),
  findOneAndDelete: (collection, { filter, ...options }) => collection.findOneAndDelete(filter, options),
  findOneAndReplace: (collection, { filter, replacement, ...options }) =>
    collection.findOneAndReplace(filter, replacement, returning(options)),
  findOneAndUpdate: (collection, { filter, update, ...options }) =>
    collection.findOneAndUpdate(filter, update, returning(options)),
  insertMany: (collection, { documents, ...options }) => collection.insertMany(documents, options),
  insertOne: (collection, { document, ...options }) => collection.insertOne(document, options),
  listIndexes: (collection, options) => collection.listIndexes(options).toArray(),
  listIndexNames: async (collection, options) => {
    const indexes = await collection.listIndexes(options).toArray();
    return indexes.map(({ name }) => name);
  },
  rename: async (collection, { to, ...options }) => void (await collection.rename(to, options)),
  replaceOne: (collection, { filter, replacement, ...options }) =>
    collection.replaceOne(filter, replacement, options),
  updateMany: (collection, { filter, update, ...options }) => collection.updateMany(filter, update, options),
  updateOne: (collection, { filter, update, ...options }) => collection.updateOne(filter, update, options),
};

const SESSION: Record<string, Perform<Kinds["session"]>> = {
  endSession: ({ session }) => session.endSession(),
  startTransaction: ({ session }, options) => session.startTransaction(options),
  commitTransaction: ({ session }) => session.commitTransaction(),
  abortTransaction: ({ session }) => session.abortTransaction(),
};

const CURSOR: Record<string, Perform<AbstractCursor>> = {
  iterateUntilDocumentOrError: (cursor) => cursor.next(),
  iterateOnce: (cursor) => cursor.tryNext(),
  // The format asks to pass over errors here: drivers do not agree on reporting those of killCursors.
  close: (cursor) => cursor.close().catch(() => undefined),
};

const OPERATIONS: { [K in Kind]?: Record<string, Perform<Kinds[K]>> } = {
  client: CLIENT,
  database: DATABASE,
  collection: COLLECTION,
  session: SESSION,
  cursor: CURSOR,
};

/** Arguments without which a test is malformed, whatever it expects. */
const REQUIRED: Record<string, string[]> = {
  aggregate: ["pipeline"],
  bulkWrite: ["requests"],
  clientBulkWrite: ["models"],
  countDocuments: ["filter"],
  createCollection: ["collection"],
  createFindCursor: ["filter"],
  createIndex: ["keys"],
  deleteMany: ["filter"],
  deleteOne: ["filter"],
  distinct: ["fieldName", "filter"],
  dropCollection: ["collection"],
  find: ["filter"],
  findOneAndDelete: ["filter"],
  findOneAndReplace: ["filter", "replacement"],
  findOneAndUpdate: ["filter", "update"],
  insertMany: ["documents"],
  insertOne: ["document"],
  replaceOne: ["filter", "replacement"],
  runCommand: ["command"],
  runCursorCommand: ["command"],
  updateMany: ["filter", "update"],
  updateOne: ["filter", "update"],
};

/** What the operation answers. The session it names becomes the session itself, concerns the driver's objects. */
export async function perform(
  entity: Entity,
  name: string,
  args: Document,
  entities: Entities,
): Promise<unknown> {
  const operation = OPERATIONS[entity.kind]?.[name] as Perform<unknown> | undefined;
  if (operation === undefined) throw new Unknown(`the runner has no operation ${name} on a ${entity.kind}`);
  const missing = (REQUIRED[name] ?? []).filter((argument) => !Object.hasOwn(args, argument));
  if (missing.length > 0) throw new Unknown(`${name} is given no ${missing.join(" and no ")}`);
  const { session, ...rest } = args;
  const options = scopeOptions(rest);
  if (session !== undefined) options.session = entities.get("session", session).session;
  return await operation(entity.it, options);
}

/** The test asks for something that the format or this runner does not have: no outcome can make it pass. */
export class Unknown extends Error {}

function returning(options: Document): Document {
  if (options.returnDocument === undefined) return options;
  const returnDocument = String(options.returnDocument).toLowerCase();
  if (returnDocument !== "before" && returnDocument !== "after") {
    throw new Unknown(`returnDocument is neither before nor after: ${options.returnDocument}`);
  }
  return { ...options, returnDocument };
}

const TAILABLE: Record<string, Document> = {
  tailable: { tailable: true },
  tailableAwait: { tailable: true, awaitData: true },
  nonTailable: {},
};

function commandCursor(db: Db, args: Document): AbstractCursor {
  const { command, commandName: _, batchSize, maxTimeMS, comment, cursorType, ...options } = args;
  const cursor = db.runCursorCommand(command, { ...options, ...TAILABLE[cursorType ?? "nonTailable"] });
  if (batchSize !== undefined) cursor.setBatchSize(batchSize);
  if (maxTimeMS !== undefined) cursor.setMaxTimeMS(maxTimeMS);
  if (comment !== undefined) cursor.setComment(comment);
  return cursor;
}

/** The server's cursor exists afterwards and the first document is still to be read. */
async function opened(cursor: AbstractCursor): Promise<AbstractCursor> {
  await cursor.hasNext();
  return cursor;
}
