/**
 * Extended JSON as engine values, by way of the bytes that a driver would send. Only the wrappers of
 * extended JSON v2 are read as types: `$regex`, `$ref` and the like stay the documents that they are in a
 * query.
 */

import { BSON } from "mongodb";
import { decode, encode } from "../values/bson.ts";
import { EngineError } from "../values/errors.ts";
import type { Doc, Value } from "../values/values.ts";

const WRAPPERS = new Set([
  "$numberInt",
  "$numberLong",
  "$numberDouble",
  "$numberDecimal",
  "$date",
  "$oid",
  "$binary",
  "$regularExpression",
  "$timestamp",
  "$minKey",
  "$maxKey",
  "$symbol",
  "$code",
  "$uuid",
]);

function toBson(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(toBson);
  const isDocument = typeof json === "object" && json !== null && !WRAPPERS.has(Object.keys(json)[0] ?? "");
  if (isDocument) return new Map(Object.entries(json).map(([name, value]) => [name, toBson(value)]));
  const parsed = BSON.EJSON.parse(JSON.stringify({ value: json }), { relaxed: false }) as BSON.Document;
  return parsed.value;
}

/** Any JSON value in canonical extended form. Throws an EngineError for what the engine does not store. */
export function fromEjson(json: unknown): Value {
  const bytes = BSON.serialize(new Map([["value", toBson(json)]]));
  return decode(Buffer.from(bytes)).get("value") as Value;
}

export function docFromEjson(json: unknown): Doc {
  const value = fromEjson(json);
  if (!(value instanceof Map)) throw new Error(`not a document: ${JSON.stringify(json)}`);
  return value;
}

export const double = (text: string) => ({ $numberDouble: text });
export const long = (text: string) => ({ $numberLong: text });

/** A document with its types and the order of its fields as text. */
export function shown(document: Doc): string {
  const bson = BSON.deserialize(encode(document), { promoteValues: false });
  return BSON.EJSON.stringify(bson, { relaxed: false });
}

/** What the engine refuses this with. */
export function errorOf(act: () => unknown): EngineError {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("accepted");
}
