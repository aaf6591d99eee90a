/**
 * Values as bytes whose memcmp order is MongoDB's order of values, so that SQLite's B-trees sort for us.
 *
 *   value   = class byte, then a self-delimiting body
 *   text    = UTF-8 with 00 written as 00 FF, ended by 00 01
 *   number  = the double, sign-flipped big-endian; from 2^53 on followed by the int64's distance to it
 *   object  = (class byte, name, value)*, 00        array = value*, 00
 *
 * A descending field is the same bytes inverted. No encoding is a prefix of another one, inverted or not;
 * that is why text ends in two bytes and class bytes are never 00 or FF.
 */
import { present } from "./present.ts";
import {
  Binary,
  isNumber,
  type NumberValue,
  ObjectId,
  toNumber,
  typeOrder,
  UtcDate,
  type Value,
} from "./values.ts";

const EXACT_LIMIT = 2 ** 53;
const SIGN = 1n << 63n;
const ESCAPED_ZERO = Buffer.from([0x00, 0xff]);

/** Distance between two class bytes leaves room for exclusive upper bounds. */
export function classByte(value: Value): number {
  return typeOrder(value) * 5;
}

class KeyWriter {
  buffer = Buffer.allocUnsafe(128);
  length = 0;

  reserve(bytes: number): number {
    const offset = this.length;
    if (offset + bytes > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, offset + bytes));
      this.buffer.copy(larger, 0, 0, offset);
      this.buffer = larger;
    }
    this.length = offset + bytes;
    return offset;
  }
  writeByte(value: number): void {
    const offset = this.reserve(1);
    this.buffer[offset] = value;
  }
  writeBytes(value: Buffer): void {
    const offset = this.reserve(value.length);
    value.copy(this.buffer, offset);
  }
  writeUint64(value: bigint): void {
    const offset = this.reserve(8);
    this.buffer.writeBigUInt64BE(value, offset);
  }
}

function writeText(writer: KeyWriter, text: string): void {
  for (const [i, part] of text.split("\0").entries()) {
    if (i > 0) writer.writeBytes(ESCAPED_ZERO);
    writer.writeBytes(Buffer.from(part));
  }
  writer.writeByte(0);
  writer.writeByte(1);
}

function writeNumber(writer: KeyWriter, value: NumberValue): void {
  const double = toNumber(value);
  const offset = writer.reserve(8);
  if (Number.isNaN(double)) {
    writer.buffer.fill(0, offset, offset + 8);
    return;
  }
  writer.buffer.writeDoubleBE(double === 0 ? 0 : double, offset);
  const first = present(writer.buffer[offset]);
  if (first & 0x80) invert(writer.buffer, offset, offset + 8);
  else writer.buffer[offset] = first | 0x80;
  if (Math.abs(double) < EXACT_LIMIT || !Number.isFinite(double)) return;
  const distance = typeof value === "bigint" ? Number(value - BigInt(double)) : 0;
  const remainder = writer.reserve(2);
  writer.buffer.writeUInt16BE(distance + 0x8000, remainder);
}

function writeValue(writer: KeyWriter, value: Value): void {
  writer.writeByte(classByte(value));
  if (typeof value === "string") writeText(writer, value);
  else if (isNumber(value)) writeNumber(writer, value);
  else if (typeof value === "boolean") writer.writeByte(value ? 1 : 0);
  else if (value instanceof ObjectId) writer.writeBytes(value.bytes);
  else if (value instanceof UtcDate) writer.writeUint64(BigInt.asUintN(64, value.ms) ^ SIGN);
  else if (value instanceof Map) {
    for (const [name, field] of value) {
      writer.writeByte(classByte(field));
      writeText(writer, name);
      writeValue(writer, field);
    }
    writer.writeByte(0);
  } else if (Array.isArray(value)) {
    for (const item of value) writeValue(writer, item);
    writer.writeByte(0);
  } else if (value instanceof Binary) {
    const offset = writer.reserve(5);
    writer.buffer.writeUInt32BE(value.bytes.length, offset);
    writer.buffer[offset + 4] = value.subtype;
    writer.writeBytes(value.bytes);
  }
}

export type Direction = 1 | -1;

function invert(buffer: Buffer, from: number, to: number): void {
  for (let i = from; i < to; i++) buffer[i] = ~present(buffer[i]);
}

/** The key of a tuple of values; ascending where no direction is given. */
export function encodeKey(values: readonly Value[], directions?: readonly Direction[]): Buffer {
  const writer = new KeyWriter();
  for (let i = 0; i < values.length; i++) {
    const start = writer.length;
    writeValue(writer, present(values[i]));
    if (directions?.[i] === -1) invert(writer.buffer, start, writer.length);
  }
  return Buffer.from(writer.buffer.subarray(0, writer.length));
}

export function invertCopy(bytes: Buffer): Buffer {
  const out = Buffer.from(bytes);
  invert(out, 0, out.length);
  return out;
}

/** The smallest key above everything that begins with `prefix`; undefined where there is none. */
export function findSuccessor(prefix: Buffer): Buffer | undefined {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  if (end === 0) return undefined;
  const out = Buffer.from(prefix.subarray(0, end));
  out[end - 1] = present(out[end - 1]) + 1;
  return out;
}
