/** Features that a server may refuse: how a test shows that it uses one, and how to ask a server for it. */
import { Decimal128, type Document, Long } from "mongodb";
import type { ExpectedError, Operation, TestCase, TestFile } from "./format.ts";

export interface Feature {
  name: string;
  usedBy(operation: Operation): boolean;
  /** Options of `initialData` that need the feature. */
  createOption?: string;
  /** An option of the file's entities that needs the feature wherever a session is used. */
  sessionOption?: string;
  /** The smallest command that needs the feature, after those that make room for it. */
  ask: Document | Document[];
  /** Where the command is sent; the scratch database unless said. */
  database?: string;
}

export const SCRATCH = "unified_runner_scratch";

const hasKey = (key: string) => (operation: Operation) => mentions(operation.arguments, key);
const isNamed = (pattern: RegExp) => (operation: Operation) => pattern.test(operation.name);
const aggregate = (stage: Document, target: unknown = "c") => ({
  aggregate: target,
  pipeline: [stage],
  cursor: {},
});
const collation = { locale: "en" };

export const FEATURES: Feature[] = [
  {
    name: "fail points",
    usedBy: isNamed(/failPoint$/i),
    ask: { configureFailPoint: "failCommand", mode: "off" },
    database: "admin",
  },
  {
    name: "transactions",
    usedBy: isNamed(/Transaction$/),
    ask: { find: "c", filter: {}, txnNumber: Long.ONE, startTransaction: true, autocommit: false },
  },
  {
    name: "snapshot reads",
    usedBy: () => false,
    sessionOption: "snapshot",
    ask: { find: "c", filter: {}, readConcern: { level: "snapshot" } },
  },
  { name: "change streams", usedBy: isNamed(/ChangeStream$/), ask: aggregate({ $changeStream: {} }) },
  { name: "collation", usedBy: hasKey("collation"), ask: { find: "c", filter: {}, collation } },
  { name: "the stage $out", usedBy: hasKey("$out"), ask: aggregate({ $out: "d" }) },
  { name: "the stage $merge", usedBy: hasKey("$merge"), ask: aggregate({ $merge: { into: "d" } }) },
  {
    name: "the stage $listLocalSessions",
    usedBy: hasKey("$listLocalSessions"),
    ask: aggregate({ $listLocalSessions: {} }, 1),
    database: "admin",
  },
  {
    name: "the stage $currentOp",
    usedBy: hasKey("$currentOp"),
    ask: aggregate({ $currentOp: {} }, 1),
    database: "admin",
  },
  {
    name: "the operator $text",
    usedBy: hasKey("$text"),
    ask: { find: "c", filter: { $text: { $search: "a" } } },
  },
  { name: "the operator $where", usedBy: hasKey("$where"), ask: { find: "c", filter: { $where: "true" } } },
  {
    name: "let in a find",
    usedBy: both(isNamed(/^find$/), hasKey("let")),
    ask: { find: "c", filter: { $expr: { $eq: ["$a", "$$v"] } }, let: { v: 1 } },
  },
  {
    name: "let in an aggregation's stages",
    usedBy: both(isNamed(/^aggregate$/), hasKey("let")),
    ask: { ...aggregate({ $project: { a: "$$v" } }), let: { v: 1 } },
  },
  {
    name: "let in an update by pipeline",
    usedBy: both(hasPipelineUpdate, hasKey("let")),
    ask: { update: "c", updates: [{ q: {}, u: [{ $set: { a: "$$v" } }] }], let: { v: 1 } },
  },
  {
    name: "let in a delete",
    usedBy: both(isNamed(/^delete|bulkWrite$/i), hasKey("let")),
    ask: { delete: "c", deletes: [{ q: { $expr: { $eq: ["$a", "$$v"] } }, limit: 1 }], let: { v: 1 } },
  },
  {
    name: "views",
    usedBy: hasKey("viewOn"),
    createOption: "viewOn",
    ask: { create: "v", viewOn: "c", pipeline: [] },
  },
  {
    name: "time series",
    usedBy: hasKey("timeseries"),
    createOption: "timeseries",
    ask: { create: "t", timeseries: { timeField: "t" } },
  },
  {
    name: "clustered collections",
    usedBy: hasKey("clusteredIndex"),
    createOption: "clusteredIndex",
    ask: { create: "k", clusteredIndex: { key: { _id: 1 }, unique: true } },
  },
  {
    name: "capped collections",
    usedBy: hasKey("capped"),
    createOption: "capped",
    ask: { create: "f", capped: true, size: 4096 },
  },
  {
    name: "change stream images",
    usedBy: hasKey("changeStreamPreAndPostImages"),
    createOption: "changeStreamPreAndPostImages",
    ask: { create: "i", changeStreamPreAndPostImages: { enabled: true } },
  },
  {
    name: "validators",
    usedBy: hasKey("validator"),
    createOption: "validator",
    ask: { create: "w", validator: { a: 1 } },
  },
  ...["returnKey", "showRecordId"].map((name) => ({
    name: `the option ${name}`,
    usedBy: hasKey(name),
    ask: { find: "c", filter: {}, [name]: true },
  })),
  ...["min", "max"].map((name) => ({
    name: `the option ${name} of a find`,
    usedBy: both(isNamed(/^find$/), hasKey(name)),
    ask: { find: "c", filter: {}, hint: { _id: 1 }, [name]: { _id: 1 } },
  })),
  {
    name: "prepareUnique",
    usedBy: hasKey("prepareUnique"),
    ask: [
      { createIndexes: "p", indexes: [{ key: { a: 1 }, name: "a" }] },
      { collMod: "p", index: { name: "a", prepareUnique: true } },
    ],
  },
  {
    name: "decimal numbers",
    usedBy: (operation) => holds(operation.arguments, (value) => value instanceof Decimal128),
    ask: { insert: "n", documents: [{ a: Decimal128.fromString("1") }] },
  },
  {
    name: "index option hidden",
    usedBy: hasKey("hidden"),
    ask: { createIndexes: "h", indexes: [{ key: { a: 1 }, name: "a", hidden: true }] },
  },
];

function hasPipelineUpdate(operation: Operation): boolean {
  return holds(operation.arguments, (value) => isPlain(value) && Array.isArray(value.update));
}

function both(...conditions: ((operation: Operation) => boolean)[]): (operation: Operation) => boolean {
  return (operation) => conditions.every((condition) => condition(operation));
}

export function needs(feature: Feature, file: TestFile, test: TestCase): boolean {
  const { createOption, sessionOption } = feature;
  const inSession =
    sessionOption !== undefined &&
    mentions(file.createEntities, sessionOption) &&
    test.operations.some(({ arguments: args }) => args?.session !== undefined);
  const started =
    createOption !== undefined &&
    (file.initialData ?? []).some((data) => data.createOptions?.[createOption] !== undefined);
  return (
    inSession ||
    started ||
    test.operations.some((operation) => !wantsAnyError(operation.expectError) && feature.usedBy(operation))
  );
}

/** Where any error will do, a refusal is an answer like another and the feature is not needed. */
function wantsAnyError(expected: ExpectedError | undefined): boolean {
  return (
    expected !== undefined &&
    Object.keys(expected).every((name) => name === "isError" || name === "isClientError")
  );
}

function mentions(value: unknown, key: string): boolean {
  return holds(value, (inner) => isPlain(inner) && Object.hasOwn(inner, key));
}

/** Whether the value or anything within it passes the test. */
function holds(value: unknown, passes: (value: unknown) => boolean): boolean {
  if (passes(value)) return true;
  if (Array.isArray(value)) return value.some((element) => holds(element, passes));
  return isPlain(value) && Object.values(value).some((inner) => holds(inner, passes));
}

function isPlain(value: unknown): value is Document {
  return typeof value === "object" && value !== null && !("_bsontype" in value);
}
