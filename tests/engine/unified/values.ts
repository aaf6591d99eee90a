/** Reading BSON values as the driver gives them: what is a document, what is a number, what type it has. */
import {
  Binary,
  BSON,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from "mongodb";

export type Fields = Record<string, unknown>;

const INT32_LIMIT = 2 ** 31;

/** Objects that carry one BSON value rather than fields. */
function isScalarObject(value: object): boolean {
  return (
    value instanceof Date || value instanceof RegExp || value instanceof Uint8Array || "_bsontype" in value
  );
}

export function isDocument(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isScalarObject(value);
}

/** The fields of a document. Maps (a driver keeps sort orders in them) count as documents; undefined is absence. */
export function fieldsOf(document: Fields): Fields {
  const entries = document instanceof Map ? [...document.entries()] : Object.entries(document);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Int32, Long and Double compare by their numeric value; everything else is left as it is. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Int32 || value instanceof Double) return value.value;
  // A Timestamp is a Long by inheritance and a type of its own by BSON.
  if (Long.isLong(value) && !(value instanceof Timestamp)) return value.toBigInt();
  return undefined;
}

/** Canonical Extended JSON: two scalars are the same value exactly when this text is the same. */
export function textOf(value: unknown): string {
  return BSON.EJSON.stringify({ value }, { relaxed: false });
}

const isNumber = (value: unknown): boolean => numberOf(value) !== undefined;
const isWhole = (value: unknown): boolean => {
  const number = numberOf(value);
  return typeof number === "bigint" || (number !== undefined && Number.isInteger(number));
};

/** The names of MongoDB's $type. The driver promotes numbers, so a whole JavaScript number may be of any width. */
const TYPES: Record<string, (value: unknown) => boolean> = {
  double: (value) => typeof value === "number" || value instanceof Double,
  string: (value) => typeof value === "string",
  object: (value) => isDocument(value),
  array: (value) => Array.isArray(value),
  binData: (value) => value instanceof Binary || value instanceof Uint8Array,
  undefined: (value) => value === undefined,
  objectId: (value) => value instanceof ObjectId,
  bool: (value) => typeof value === "boolean",
  date: (value) => value instanceof Date,
  null: (value) => value === null,
  regex: (value) => value instanceof RegExp || value instanceof BSONRegExp,
  dbPointer: (value) => value instanceof DBRef,
  javascript: (value) => value instanceof Code && value.scope == null,
  javascriptWithScope: (value) => value instanceof Code && value.scope != null,
  symbol: (value) => value instanceof BSONSymbol,
  int: (value) => isWhole(value) && Math.abs(Number(numberOf(value))) <= INT32_LIMIT && !Long.isLong(value),
  timestamp: (value) => value instanceof Timestamp,
  long: (value) => isWhole(value) && !(value instanceof Int32),
  decimal: (value) => value instanceof Decimal128,
  minKey: (value) => value instanceof MinKey,
  maxKey: (value) => value instanceof MaxKey,
  number: (value) => isNumber(value) || value instanceof Decimal128,
};

export function hasType(value: unknown, type: string): boolean {
  const is = TYPES[type];
  if (is === undefined) throw new Error(`unknown BSON type ${type}`);
  return is(value);
}
