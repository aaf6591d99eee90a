/** How many bytes a value takes as BSON, without encoding it. */

import { failTooLarge, MAX_ENCODED_BYTES } from "../values/bson.ts";
import { present } from "../values/present.ts";
import {
  Binary,
  BsonSymbol,
  Code,
  DbPointer,
  type Doc,
  Int32,
  ObjectId,
  Regex,
  typeNumber,
  type Value,
} from "../values/values.ts";

/** What may be built of shared parts is bounded in what it would take, not in what it holds. */
function bounded(bytes: number): number {
  return bytes <= MAX_ENCODED_BYTES ? bytes : failTooLarge(bytes, MAX_ENCODED_BYTES);
}

function textBytes(text: string): number {
  return Buffer.byteLength(text) + 5;
}

export function documentBytes(document: Doc): number {
  let bytes = 5;
  for (const [name, value] of document)
    bytes = bounded(bytes + Buffer.byteLength(name) + 2 + valueBytes(value));
  return bytes;
}

function arrayBytes(items: readonly Value[]): number {
  let bytes = 5;
  for (let i = 0; i < items.length; i++)
    bytes = bounded(bytes + String(i).length + 2 + valueBytes(present(items[i])));
  return bytes;
}

function otherBytes(value: Value): number {
  if (value instanceof Binary) return value.bytes.length + 5;
  if (value instanceof Regex) return Buffer.byteLength(value.pattern) + Buffer.byteLength(value.options) + 2;
  if (value instanceof BsonSymbol) return textBytes(value.text);
  if (value instanceof Code)
    return textBytes(value.code) + (value.scope ? 4 + documentBytes(value.scope) : 0);
  if (value instanceof DbPointer) return textBytes(value.namespace) + 12;
  return WIDTHS[typeNumber(value)] ?? 0;
}

/** Dates, timestamps; the remaining types carry nothing. */
const WIDTHS: Record<number, number> = { 9: 8, 17: 8 };

export function valueBytes(value: Value): number {
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "number" || typeof value === "bigint") return 8;
  if (value instanceof Int32) return 4;
  if (typeof value === "boolean") return 1;
  if (value === null) return 0;
  if (value instanceof Map) return documentBytes(value);
  if (Array.isArray(value)) return arrayBytes(value);
  if (value instanceof ObjectId) return 12;
  return otherBytes(value);
}
