/** One test from its initial data to its outcome. It returns when everything holds and throws at the first difference. */
import { type Document, type MongoClient, ReadPreference } from "mongodb";
import { Entities, type Entity } from "./entities.ts";
import { matchError } from "./expected-error.ts";
import { matchEvents } from "./expected-events.ts";
import type { CollectionData, Operation, TestCase, TestFile } from "./format.ts";
import { Mismatch, matchEachRoot, matchExactly, matchRoot, matchValue, show } from "./match.ts";
import { ITERABLE, perform, Unknown } from "./operations.ts";
import { performSpecial, type Runner } from "./runner-operations.ts";
import type { Server } from "./server.ts";
import { isDocument } from "./values.ts";

export async function execute(file: TestFile, test: TestCase, server: Server): Promise<void> {
  for (const name of ["expectLogMessages", "expectTracingMessages"] as const) {
    if (test[name] !== undefined) throw new Unknown(`the runner has no ${name}`);
  }
  for (const data of file.initialData ?? []) await prepare(data, server.client);

  const entities = new Entities(server.uri);
  const failPoints = new Set<string>();
  try {
    await entities.create(file.createEntities ?? []);
    for (const [index, operation] of test.operations.entries()) {
      await withPlace(`operation ${index} (${operation.name})`, () =>
        run(operation, { entities, own: server.client, failPoints }),
      );
    }
    for (const observed of entities.clients()) observed.stopWatching();
    for (const expected of test.expectEvents ?? []) matchEvents(expected, entities);
    for (const data of test.outcome ?? []) await matchOutcome(data, server.client);
  } finally {
    for (const configureFailPoint of failPoints)
      await server.client.db("admin").command({ configureFailPoint, mode: "off" });
    await entities.close();
  }
}

async function prepare(data: CollectionData, own: MongoClient): Promise<void> {
  const db = own.db(data.databaseName);
  await db.dropCollection(data.collectionName);
  if (data.createOptions !== undefined || data.documents.length === 0) {
    await db.createCollection(data.collectionName, data.createOptions);
  }
  if (data.documents.length > 0) {
    await db.collection(data.collectionName, { writeConcern: { w: "majority" } }).insertMany(data.documents);
  }
}

async function run(operation: Operation, runner: Runner): Promise<void> {
  const args = operation.arguments ?? {};
  const { entities } = runner;
  if (operation.object === "testRunner") return performSpecial(operation.name, args, runner);
  const result = await attempt(operation, entities.find(operation.object), args, entities);
  if (operation.ignoreResultAndError === true) return;
  if (result.error !== undefined) return judgeError(operation, result.error, entities);
  if (operation.expectError !== undefined) {
    throw new Mismatch(`it succeeded instead of failing, with ${show(result.value)}`);
  }
  if (operation.expectResult !== undefined) matchResult(operation, result.value, entities);
  if (operation.saveResultAsEntity !== undefined) {
    entities.add(operation.saveResultAsEntity, entityFrom(result.value));
  }
}

interface Result {
  value?: unknown;
  error?: Error;
}

async function attempt(
  operation: Operation,
  entity: Entity,
  args: Document,
  entities: Entities,
): Promise<Result> {
  try {
    return { value: await perform(entity, operation.name, args, entities) };
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Unknown) throw error;
    return { error };
  }
}

function judgeError(operation: Operation, error: Error, entities: Entities): void {
  if (operation.expectError === undefined) throw new Mismatch(`it failed: ${error.name}: ${error.message}`);
  matchError(operation.expectError, error, entities);
}

function matchResult({ name, expectResult }: Operation, value: unknown, entities: Entities): void {
  if (Array.isArray(expectResult) && ITERABLE.has(name))
    matchEachRoot(expectResult, value, "result", entities);
  else if (isDocument(expectResult)) matchRoot(expectResult, value, "result", entities);
  else matchValue(expectResult, value, "result", entities);
}

function entityFrom(value: unknown): Entity {
  if (value === undefined) throw new Unknown("the operation answers nothing that could be kept");
  const isCursor = typeof value === "object" && value !== null && "tryNext" in value;
  return (isCursor ? { kind: "cursor", it: value } : { kind: "value", it: { value } }) as Entity;
}

async function matchOutcome(data: CollectionData, own: MongoClient): Promise<void> {
  const collection = own.db(data.databaseName).collection(data.collectionName, {
    readPreference: ReadPreference.primary,
    readConcern: { level: "local" },
  });
  const found = await collection.find({}, { sort: { _id: 1 } }).toArray();
  matchExactly(data.documents, found, `outcome of ${data.collectionName}`);
}

async function withPlace(place: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Mismatch) throw new Mismatch(`${place}: ${error.message}`);
    throw error;
  }
}
