/**
 * Text that is the same for two values exactly when MongoDB calls them equal: 1, 1.0 and the int64 1 share
 * it, -0 and 0 do, and two documents do only with the same fields in the same order.
 */
import { Binary, Int32, ObjectId, UtcDate, type Value } from "../values/values.ts";

/** Puts the length before a text, so that its content cannot be mistaken for other parts of the key. */
function prefixWithLength(text: string): string {
  return `${text.length}:${text}`;
}

/** A double beyond 2^53 is an integer and gets the same key as the int64 of that value. */
function numberKey(value: number): string {
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return `n${value === 0 ? 0 : value};`;
  return `n${BigInt(value)};`;
}

export function valueKey(value: Value): string {
  if (typeof value === "string") return `s${prefixWithLength(value)}`;
  if (value instanceof Int32) return `n${value.value};`;
  if (typeof value === "number") return numberKey(value);
  if (typeof value === "bigint") return `n${value};`;
  if (value === null) return "0";
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value instanceof ObjectId) return `o${value.bytes.toString("latin1")}`;
  if (value instanceof UtcDate) return `d${value.ms};`;
  if (Array.isArray(value)) return `[${value.map(valueKey).join("")}]`;
  if (value instanceof Map) {
    let key = "{";
    for (const [name, field] of value) key += `${prefixWithLength(name)}${valueKey(field)}`;
    return `${key}}`;
  }
  if (value instanceof Binary) return `b${value.subtype}:${prefixWithLength(value.bytes.toString("latin1"))}`;
  return "m";
}
