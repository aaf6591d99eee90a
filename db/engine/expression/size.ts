/** How many bytes a value takes as BSON, without encoding it. */

import { failTooLarge, MAX_ENCODED_BYTES } from "../values/bson.ts";
import { present } from "../values/present.ts";
import { Binary, type Doc, Int32, ObjectId, UtcDate, type Value } from "../values/values.ts";

/** Fails above the limit of the encoded size, because a value built from shared parts can be far larger encoded than in memory. */
function checkSize(bytes: number): number {
  return bytes <= MAX_ENCODED_BYTES ? bytes : failTooLarge(bytes, MAX_ENCODED_BYTES);
}

function measureText(text: string): number {
  return Buffer.byteLength(text) + 5;
}

export function measureDocument(document: Doc): number {
  let bytes = 5;
  for (const [name, value] of document)
    bytes = checkSize(bytes + Buffer.byteLength(name) + 2 + measureValue(value));
  return bytes;
}

function measureArray(items: readonly Value[]): number {
  let bytes = 5;
  for (let i = 0; i < items.length; i++)
    bytes = checkSize(bytes + String(i).length + 2 + measureValue(present(items[i])));
  return bytes;
}

export function measureValue(value: Value): number {
  if (typeof value === "string") return measureText(value);
  if (typeof value === "number" || typeof value === "bigint") return 8;
  if (value instanceof Int32) return 4;
  if (typeof value === "boolean") return 1;
  if (value === null) return 0;
  if (value instanceof Map) return measureDocument(value);
  if (Array.isArray(value)) return measureArray(value);
  if (value instanceof ObjectId) return 12;
  if (value instanceof Binary) return value.bytes.length + 5;
  return value instanceof UtcDate ? 8 : 0;
}
