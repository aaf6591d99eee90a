/** What a command handler is given, and how it reads its fields: anything it does not know is refused. */

import type { Cursors } from "../cursors.ts";
import type { FailPoints } from "../fail-points.ts";
import type { ScramAccount, ScramConversation } from "../scram.ts";
import { Deadline } from "../search/query.ts";
import { parseSort, type SortKey } from "../search/sort.ts";
import type { Sessions } from "../sessions.ts";
import type { Collection } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { fail } from "../values/errors.ts";
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
  /** Where it listens, as the only member of its set: a socket's path, or host and port. */
  address: string;
  /** The account for logins over TCP. Undefined while the engine listens only on a socket in a private directory. */
  account: ScramAccount | undefined;
  /** Listens on a port of 127.0.0.1, any for 0, until the engine ends, and answers the address with its password. */
  openTcp(port: number): Promise<string>;
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
  fields: readonly string[];
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
  "$readPreference",
  "readConcern",
  "writeConcern",
  "maxTimeMS",
]);

export function checkFields({ name, db, fields }: Request, command: Command): void {
  if (command.admin && db !== "admin") fail(13, `${name} may only be run against the admin database.`);
  checkTransactionFields(name, fields, command);
  for (const field of fields.keys())
    if (field !== name && !EVERYWHERE.has(field) && !command.fields.includes(field))
      fail(40415, `BSON field '${name}.${field}' is an unknown field.`);
  strictBooleanField(fields, "allowDiskUse");
  checkConcerns(fields);
}

/** Reads the name of the collection, which is the value of the command's own field. */
export function collectionName({ name, fields, db }: Request): string {
  const value = fields.get(name);
  if (typeof value !== "string") fail(73, `collection name has invalid type ${typeName(value)}`);
  if (value === "" || value.includes("\0")) fail(73, `Invalid namespace specified '${db}.${value}'`);
  return value;
}

export function findCollection(request: Request): Collection | undefined {
  return request.engine.store.find(request.db, collectionName(request));
}

export function requireCollection(request: Request): Collection {
  return findCollection(request) ?? fail(26, `ns not found ${request.db}.${collectionName(request)}`);
}

export function readDeadline(fields: Doc): Deadline {
  return new Deadline(naturalField(fields, "maxTimeMS") ?? 0);
}

/** Reads a whole number from 0; undefined if the field is missing or null. */
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

/** Reads a document; an empty one if the field is missing or null. */
export function docField(fields: Doc, name: string): Doc {
  const value = fields.get(name);
  if (value === undefined || value === null) return new Map();
  if (!(value instanceof Map)) fail(14, `Expected field ${name} to be of type object`);
  return value;
}

/** Reads a boolean or a number as a boolean; false if the field is missing or null. */
export function booleanField(fields: Doc, name: string): boolean {
  const value = fields.get(name) ?? false;
  return isNumber(value) ? isTruthy(value) : asBoolean(value, name);
}

/** Reads a boolean and refuses numbers; `otherwise` is the value of a missing or null field. */
export function strictBooleanField(fields: Doc, name: string, otherwise = false): boolean {
  return asBoolean(fields.get(name) ?? otherwise, name);
}

function asBoolean(value: Value, name: string): boolean {
  if (typeof value === "boolean") return value;
  return fail(14, `BSON field '${name}' is the wrong type '${typeName(value)}', expected type 'bool'`);
}

export function orderFields(fields: Doc): { sort: SortKey[]; hint: Value | undefined } {
  return { sort: parseSort(docField(fields, "sort")), hint: hintField(fields) };
}

export function hintField(fields: Doc): Value | undefined {
  const hint = fields.get("hint");
  if (hint === undefined || hint === null) return undefined;
  if (typeof hint === "string") return asString(hint, "hint");
  if (!(hint instanceof Map)) fail(9, "Hint must be a string or an object");
  return hint.size > 0 ? hint : undefined;
}
