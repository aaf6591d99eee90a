/**
 * BSON values in memory, one JavaScript shape per BSON type, so that nothing changes its type on a rewrite:
 *
 *   double → number        int32 → Int32        int64 → bigint       string → string
 *   object → Map           array → Array        bool → boolean       null → null
 *   the rest → the small classes below
 *
 * Documents are Maps and not objects: a Map keeps the order of names like "10" and has no `__proto__`.
 * A value that is not there is `undefined`. The types that Codeshelf does not store do not exist here: bson.ts
 * refuses them at the door.
 */

import { fail } from "./errors.ts";
import { present } from "./present.ts";

export class Int32 {
  readonly value: number;
  constructor(value: number) {
    this.value = value | 0;
  }
}
export class UtcDate {
  readonly ms: bigint;
  constructor(ms: bigint) {
    this.ms = ms;
  }
}
export class ObjectId {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
export class Binary {
  readonly subtype: number;
  readonly bytes: Buffer;
  constructor(subtype: number, bytes: Buffer) {
    this.subtype = subtype;
    this.bytes = bytes;
  }
}
class Marker {}
/** What an empty array is filed under in an index, and what is missing counts as in an order: below null. No document holds it. */
export const UNDEFINED = new Marker();

export type Doc = Map<string, Value>;
export type NumberValue = number | Int32 | bigint;
export type Value =
  | null
  | boolean
  | string
  | NumberValue
  | Doc
  | Value[]
  | UtcDate
  | ObjectId
  | Binary
  | Marker;

/** BSON type numbers with their names and their place in MongoDB's order of all its types, by which keys are filed. */
const TYPES = [
  { number: 6, alias: "undefined", order: 2 },
  { number: 10, alias: "null", order: 3 },
  { number: 1, alias: "double", order: 4 },
  { number: 16, alias: "int", order: 4 },
  { number: 18, alias: "long", order: 4 },
  { number: 2, alias: "string", order: 5 },
  { number: 3, alias: "object", order: 6 },
  { number: 4, alias: "array", order: 7 },
  { number: 5, alias: "binData", order: 8 },
  { number: 7, alias: "objectId", order: 9 },
  { number: 8, alias: "bool", order: 10 },
  { number: 9, alias: "date", order: 11 },
] as const;

const ORDER = new Map<number, number>(TYPES.map((type) => [type.number, type.order]));
const ALIAS = new Map<number, string>(TYPES.map((type) => [type.number, type.alias]));

/** The BSON type number of a value. */
export function typeNumber(value: Value): number {
  if (value === null) return 10;
  switch (typeof value) {
    case "string":
      return 2;
    case "number":
      return 1;
    case "boolean":
      return 8;
    case "bigint":
      return 18;
  }
  if (value instanceof Int32) return 16;
  if (value instanceof Map) return 3;
  if (Array.isArray(value)) return 4;
  if (value instanceof ObjectId) return 7;
  if (value instanceof UtcDate) return 9;
  if (value instanceof Binary) return 5;
  return 6;
}

export function typeName(value: Value | undefined): string {
  return value === undefined ? "missing" : present(ALIAS.get(typeNumber(value)));
}

/** Values of one order class are compared by content, values of different classes by class. */
export function typeOrder(value: Value): number {
  return present(ORDER.get(typeNumber(value)));
}

export function isNumber(value: Value | undefined): value is NumberValue {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Int32;
}

export function isDoc(value: Value | undefined): value is Doc {
  return value instanceof Map;
}

/** The number as JavaScript computes with it; an int64 beyond 2^53 is rounded. */
export function toNumber(value: NumberValue): number {
  return typeof value === "number" ? value : value instanceof Int32 ? value.value : Number(value);
}

/** An integral number of any type as a safe JavaScript integer, or undefined. */
export function toInteger(value: Value | undefined): number | undefined {
  if (!isNumber(value)) return undefined;
  const number = toNumber(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

const INT32_MIN = -2147483648;
const INT32_MAX = 2147483647;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

export function fitsInt32(value: number): boolean {
  return Number.isInteger(value) && value >= INT32_MIN && value <= INT32_MAX;
}
export function fitsInt64(value: bigint): boolean {
  return value >= INT64_MIN && value <= INT64_MAX;
}

/** An integral number of any type as int64; fails as the parsing of MongoDB's integer arguments does. */
export function requireInteger(operand: Value, code: number, context = ""): bigint {
  if (!isNumber(operand)) fail(code, `${context}Expected a number in: ${typeName(operand)}`);
  if (typeof operand === "bigint") return operand;
  const number = toNumber(operand);
  if (!Number.isInteger(number)) fail(code, `${context}Expected an integer: ${number}`);
  const integer = BigInt(number);
  if (!fitsInt64(integer)) fail(code, `${context}Cannot represent as a 64-bit integer: ${number}`);
  return integer;
}

/** A count or size for an answer: int32 where it fits, else double, as drivers expect. */
export function toCount(value: number): NumberValue {
  return fitsInt32(value) ? new Int32(value) : value;
}

export function doc(fields: Record<string, Value | undefined> = {}): Doc {
  const out: Doc = new Map();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) out.set(name, value);
  return out;
}

/** By UTF-8 bytes, that is by code points: UTF-16 order differs where surrogates meet U+E000–U+FFFF. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) {
      if (x >= 0xe000) x -= 0x800;
      else x += 0x2000;
      if (y >= 0xe000) y -= 0x800;
      else y += 0x2000;
    }
    return x < y ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

function compareOrdered<T extends number | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function compareNumbers(a: NumberValue, b: NumberValue): number {
  const x = a instanceof Int32 ? a.value : a;
  const y = b instanceof Int32 ? b.value : b;
  if (x < y) return -1;
  if (x > y) return 1;
  // biome-ignore lint/suspicious/noDoubleEquals: 1n == 1 is the comparison wanted here
  if (x == y) return 0;
  const xNaN = Number.isNaN(x);
  const yNaN = Number.isNaN(y);
  return xNaN === yNaN ? 0 : xNaN ? -1 : 1;
}

function compareDocs(a: Doc, b: Doc): number {
  const other = b.entries();
  for (const [name, value] of a) {
    const next = other.next();
    if (next.done) return 1;
    const [otherName, otherValue] = next.value;
    const byType = typeOrder(value) - typeOrder(otherValue);
    if (byType !== 0) return byType < 0 ? -1 : 1;
    const byName = compareStrings(name, otherName);
    if (byName !== 0) return byName;
    const byValue = compareValues(value, otherValue);
    if (byValue !== 0) return byValue;
  }
  return other.next().done ? 0 : -1;
}

function compareArrays(a: Value[], b: Value[]): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const order = compareValues(present(a[i]), present(b[i]));
    if (order !== 0) return order;
  }
  return compareOrdered(a.length, b.length);
}

function compareSameClass(a: Value, b: Value): number {
  if (isNumber(a)) return compareNumbers(a, b as NumberValue);
  if (typeof a === "string") return compareStrings(a, b as string);
  if (a instanceof Map) return compareDocs(a, b as Doc);
  if (Array.isArray(a)) return compareArrays(a, b as Value[]);
  if (a instanceof ObjectId) return Buffer.compare(a.bytes, (b as ObjectId).bytes);
  if (a instanceof UtcDate) return compareOrdered(a.ms, (b as UtcDate).ms);
  if (typeof a === "boolean") return compareOrdered(Number(a), Number(b));
  if (a instanceof Binary) {
    const other = b as Binary;
    return (
      compareOrdered(a.bytes.length, other.bytes.length) ||
      compareOrdered(a.subtype, other.subtype) ||
      Buffer.compare(a.bytes, other.bytes)
    );
  }
  return 0;
}

/** MongoDB's total order over all values. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
  const byClass = typeOrder(a) - typeOrder(b);
  if (byClass !== 0) return byClass < 0 ? -1 : 1;
  return compareSameClass(a, b);
}

export function isEqual(a: Value, b: Value): boolean {
  return a === b || compareValues(a, b) === 0;
}

/** A field of a command that must be a document. */
export function asDoc(value: Value | undefined, name: string): Doc {
  if (value instanceof Map) return value;
  fail(14, `BSON field '${name}' is the wrong type '${typeName(value)}', expected type 'object'`);
}

export function asString(value: Value | undefined, name: string): string {
  if (typeof value === "string") return value;
  fail(14, `BSON field '${name}' is the wrong type '${typeName(value)}', expected type 'string'`);
}

export function asArray(value: Value | undefined, name: string): Value[] {
  if (Array.isArray(value)) return value;
  fail(14, `BSON field '${name}' is the wrong type '${typeName(value)}', expected type 'array'`);
}

/** MongoDB's truth: everything but false, zero, null and missing. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  return !isNumber(value) || toNumber(value) !== 0;
}
