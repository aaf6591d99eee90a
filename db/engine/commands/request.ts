/** What a command handler is given, and how it reads its fields: anything it does not know is refused. */

import type { Cursors } from "../cursors.ts";
import { checkVariableName } from "../expression/env.ts";
import { compileExpression, NO_VARIABLES, newScope, type Variables } from "../expression/expression.ts";
import type { FailPoints } from "../fail-points.ts";
import type { ScramAccount, ScramConversation } from "../scram.ts";
import { Deadline } from "../search/query.ts";
import { parseSort, type SortKey } from "../search/sort.ts";
import type { Sessions } from "../sessions.ts";
import type { Collection } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { fail, unsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  asString,
  type Doc,
  isNumber,
  isTruthy,
  toInteger,
  toNumber,
  typeName,
  type Value,
} from "../values/values.ts";
import { checkConcerns } from "./concerns.ts";
import { checkTransactionFields } from "./retryable.ts";

/** What all connections share. */
export interface Engine {
  store: Store;
  cursors: Cursors;
  sessions: Sessions;
  startedAt: number;
  /** Where it listens, as the only member of its set: a socket's path, or host and port. */
  address: string;
  /** Undefined: whoever can connect may do everything (a socket in a private directory). */
  account: ScramAccount | undefined;
  connections: { current: number; total: number };
  /** How often each command ran. */
  counters: Map<string, number>;
  /** Undefined: the engine was not started for tests. */
  failPoints: FailPoints | undefined;
}

export interface Connection {
  id: number;
  authenticated: boolean;
  conversation: ScramConversation | undefined;
  /** What the client calls itself. */
  appName: string | undefined;
}

export interface Request {
  name: string;
  db: string;
  fields: Doc;
  /** Undecoded documents of an insert. */
  documents: Buffer[] | undefined;
  engine: Engine;
  connection: Connection;
}

type Handler = (request: Request) => Doc | Promise<Doc>;

export interface Command {
  run: Handler;
  /** Fields that the command understands, besides those that every command may carry. */
  fields: readonly string[] | "any";
  /** May be called before a login. */
  open?: true;
  /** Is sent to the database `admin`. */
  admin?: true;
  /** May carry a transaction number, by which a repeat of it is known. */
  retryable?: true;
}

const EVERYWHERE = new Set([
  "$db",
  "lsid",
  "txnNumber",
  "$clusterTime",
  "$readPreference",
  "readConcern",
  "writeConcern",
  "maxTimeMS",
  "comment",
  "apiVersion",
  "apiStrict",
  "apiDeprecationErrors",
]);
const REFUSED = new Map([
  ["collation", "collation"],
  ["tailable", "a tailable cursor"],
  ["awaitData", "a tailable cursor"],
  ["min", "min on an index"],
  ["max", "max on an index"],
  ["returnKey", "returnKey"],
  ["showRecordId", "showRecordId"],
]);
/** Options that are booleans and nothing else, and those where a number will do, as in MongoDB. */
const BOOLEANS = ["singleBatch", "allowDiskUse", "noCursorTimeout", "allowPartialResults"];
const LAX_BOOLEANS = ["bypassDocumentValidation", "oplogReplay", "nameOnly", "authorizedCollections"];

/** What a client that asks strictly for MongoDB's Stable API, version 1, may use. */
const STABLE = new Set(
  `aggregate collMod count create createIndexes delete drop dropDatabase dropIndexes endSessions explain find
   findAndModify getMore hello insert killCursors listCollections listDatabases listIndexes ping
   refreshSessions saslContinue saslStart update`.split(/\s+/),
);

function checkStableApi(name: string, fields: Doc): void {
  const version = fields.get("apiVersion");
  if (version !== undefined && version !== "1") fail(322, "API version must be 1");
  if (isTruthy(fields.get("apiStrict")) && !STABLE.has(name))
    fail(323, `Provided apiStrict:true, but the command ${name} is not in API Version 1`);
}

export function checkFields({ name, db, fields }: Request, command: Command): void {
  checkStableApi(name, fields);
  if (command.admin && db !== "admin") fail(13, `${name} may only be run against the admin database.`);
  checkTransactionFields(name, fields, command);
  for (const [field, value] of fields) {
    if (field === name || EVERYWHERE.has(field)) continue;
    if (command.fields === "any" || command.fields.includes(field)) continue;
    const feature = REFUSED.get(field);
    if (feature && !isTruthy(value)) continue;
    if (feature) unsupported(feature);
    fail(40415, `BSON field '${name}.${field}' is an unknown field.`);
  }
  for (const option of BOOLEANS) strictBooleanField(fields, option);
  for (const option of LAX_BOOLEANS) booleanField(fields, option);
  checkConcerns(fields);
}

/** The name of the collection that the command names as its own value. */
export function collectionName({ name, fields, db }: Request): string {
  const value = fields.get(name);
  if (typeof value !== "string") fail(73, `collection name has invalid type ${typeName(value)}`);
  if (value === "" || value.includes("\0")) fail(73, `Invalid namespace specified '${db}.${value}'`);
  return value;
}

export function findCollection(request: Request): Collection | undefined {
  return request.engine.store.find(request.db, collectionName(request));
}

export function needCollection(request: Request): Collection {
  return findCollection(request) ?? fail(26, `ns not found ${request.db}.${collectionName(request)}`);
}

export function deadlineOf(fields: Doc): Deadline {
  return new Deadline(naturalField(fields, "maxTimeMS") ?? 0);
}

/** An integral, non-negative number; undefined where the field is missing or null. */
export function naturalField(fields: Doc, name: string): number | undefined {
  const value = fields.get(name);
  if (value === undefined || value === null) return undefined;
  if (!isNumber(value))
    fail(
      14,
      `BSON field '${name}' is the wrong type '${typeName(value)}', expected types '[long, int, double]'`,
    );
  const number = toInteger(Math.trunc(toNumber(value)));
  if (number === undefined || number < 0) fail(51024, `BSON field '${name}' value must be >= 0`);
  return number;
}

/** A document; an empty one where the field is missing or null. */
export function docField(fields: Doc, name: string): Doc {
  const value = fields.get(name);
  if (value === undefined || value === null) return new Map();
  if (!(value instanceof Map)) fail(14, `Expected field ${name} to be of type object`);
  return value;
}

/** A boolean, or a number that stands for one; false where the field is missing or null. */
export function booleanField(fields: Doc, name: string): boolean {
  const value = fields.get(name) ?? false;
  return isNumber(value) ? isTruthy(value) : asBoolean(value, name);
}

/** A boolean alone; `otherwise` where the field is missing or null. */
export function strictBooleanField(fields: Doc, name: string, otherwise = false): boolean {
  return asBoolean(fields.get(name) ?? otherwise, name);
}

function asBoolean(value: Value, name: string): boolean {
  if (typeof value === "boolean") return value;
  return fail(14, `BSON field '${name}' is the wrong type '${typeName(value)}', expected type 'bool'`);
}

/** The order asked for. `$natural` is the order of the collection itself: a hint to read it as it lies. */
export function orderFields(fields: Doc): { sort: SortKey[]; hint: Value | undefined } {
  const sort = docField(fields, "sort");
  const hint = hintField(fields);
  if (!sort.has("$natural")) return { sort: parseSort(sort), hint };
  const direction = present(sort.get("$natural"));
  if (!isNumber(direction) || Math.abs(toNumber(direction)) !== 1) fail(2, "$natural sort must be 1 or -1");
  if (sort.size > 1) fail(2, "Cannot include '$natural' in compound sort");
  if (hint !== undefined && !(hint instanceof Map && hint.has("$natural")))
    fail(2, "a hint on an index contradicts the sort by $natural");
  return { sort: [], hint: sort };
}

export function hintField(fields: Doc): Value | undefined {
  const hint = fields.get("hint");
  if (hint === undefined || hint === null) return undefined;
  if (typeof hint === "string") return asString(hint, "hint");
  if (!(hint instanceof Map)) fail(9, "Hint must be a string or an object");
  return hint.size > 0 ? hint : undefined;
}

/** Variables for a whole command: expressions that see no document. */
export function letField(fields: Doc): Variables {
  const value = fields.get("let");
  if (value === undefined) return NO_VARIABLES;
  if (!(value instanceof Map)) fail(14, "BSON field 'let' is the wrong type, expected type 'object'");
  const scope = newScope(new Map(), now());
  const computed = (spec: Value): Value => {
    const found = compileExpression(spec)(scope);
    return found === undefined ? fail(4890500, "Command let Expression tried to access a field") : found;
  };
  for (const name of value.keys()) checkVariableName(name, false);
  return new Map([...value].map(([name, spec]) => [name, computed(spec)]));
}

export function now(): bigint {
  return BigInt(Date.now());
}
