/**
 * Bytes to values and back. Lengths are checked against the enclosing document and nesting against
 * MAX_DEPTH before anything is built, so hostile bytes end in an EngineError and never in a crash.
 * Documents are stored as they came; `elements` walks them without decoding.
 */

import { fail, failUnsupported } from "./errors.ts";
import { present } from "./present.ts";
import { Binary, type Doc, Int32, ObjectId, typeNumber, UtcDate, type Value } from "./values.ts";

export const MAX_DEPTH = 180;
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** Commands carry a document of the largest size and a little around it. */
export const MAX_COMMAND_BYTES = MAX_DOCUMENT_BYTES + 16 * 1024;

function failInvalid(what: string): never {
  fail(22, `Invalid BSON: ${what}`);
}

/** Reads the size of the document at `offset`. Fails if it exceeds the bytes. */
export function documentSize(buffer: Buffer, offset: number, limit: number): number {
  if (offset + 5 > limit) failInvalid("truncated document");
  const size = buffer.readInt32LE(offset);
  if (size < 5 || offset + size > limit) failInvalid(`document length ${size} out of bounds`);
  if (buffer[offset + size - 1] !== 0) failInvalid("document without its final zero");
  return size;
}

function stringEnd(buffer: Buffer, offset: number, limit: number): number {
  if (offset + 5 > limit) failInvalid("truncated string");
  const size = buffer.readInt32LE(offset);
  if (size < 1 || offset + 4 + size > limit || buffer[offset + 3 + size] !== 0)
    failInvalid("string length out of bounds");
  return offset + 4 + size;
}

function cstringEnd(buffer: Buffer, offset: number, limit: number): number {
  const end = buffer.indexOf(0, offset);
  if (end < 0 || end >= limit) failInvalid("unterminated name");
  return end;
}

const FIXED_BYTES: Record<number, number> = { 1: 8, 7: 12, 8: 1, 9: 8, 10: 0, 16: 4, 18: 8 };

/** Types that Codeshelf does not store. */
const REFUSED_TYPES: Record<number, string> = {
  6: "BSON's undefined",
  11: "a regular expression as a value",
  12: "a DBPointer",
  13: "code",
  14: "a symbol",
  15: "code with a scope",
  17: "a timestamp",
  19: "Decimal128",
  127: "MaxKey",
  255: "MinKey",
};

/** Returns the end of the value of this type at `offset`. */
function valueEnd(type: number, buffer: Buffer, offset: number, limit: number): number {
  if (type === 2) return stringEnd(buffer, offset, limit);
  if (type === 3 || type === 4) return offset + documentSize(buffer, offset, limit);
  const end =
    type === 5 ? binaryEnd(buffer, offset, limit) : offset + (FIXED_BYTES[type] ?? refuseType(type));
  return end <= limit ? end : failInvalid("value longer than its document");
}

function binaryEnd(buffer: Buffer, offset: number, limit: number): number {
  if (offset + 5 > limit) failInvalid("truncated binary");
  const size = buffer.readInt32LE(offset);
  return size >= 0 ? offset + 5 + size : failInvalid("negative binary length");
}

function refuseType(type: number): never {
  const name = REFUSED_TYPES[type];
  return name === undefined ? failInvalid(`unknown type ${type}`) : failUnsupported(name);
}

/** One field in place: where it starts (its type byte), where its value starts and where it ends. */
export interface Element {
  type: number;
  name: string;
  start: number;
  valueStart: number;
  end: number;
}

/** The fields of the document at `offset`, one after the other, undecoded. */
export function* scanElements(buffer: Buffer, offset = 0): Generator<Element> {
  const limit = offset + documentSize(buffer, offset, buffer.length) - 1;
  let position = offset + 4;
  while (position < limit) {
    const start = position;
    const type = present(buffer[position]);
    const nameEnd = cstringEnd(buffer, position + 1, limit);
    const end = valueEnd(type, buffer, nameEnd + 1, limit);
    yield { type, name: buffer.toString("utf8", start + 1, nameEnd), start, valueStart: nameEnd + 1, end };
    position = end;
  }
}

function decodeValue(type: number, buffer: Buffer, offset: number, end: number, depth: number): Value {
  switch (type) {
    case 1:
      return buffer.readDoubleLE(offset);
    case 2:
      return buffer.toString("utf8", offset + 4, end - 1);
    case 3:
      return decodeFields(buffer, offset, end, depth + 1, undefined);
    case 4:
      return decodeItems(buffer, offset, end, depth + 1);
    case 5: {
      const subtype = present(buffer[offset + 4]);
      return new Binary(subtype, Buffer.from(buffer.subarray(offset + 5, end)));
    }
    case 7:
      return new ObjectId(Buffer.from(buffer.subarray(offset, end)));
    case 8:
      return buffer[offset] !== 0;
    case 9:
      return new UtcDate(buffer.readBigInt64LE(offset));
    case 10:
      return null;
    case 16:
      return new Int32(buffer.readInt32LE(offset));
    default:
      return buffer.readBigInt64LE(offset);
  }
}

function decodeFields(
  buffer: Buffer,
  offset: number,
  end: number,
  depth: number,
  wanted: ReadonlySet<string> | undefined,
): Doc {
  if (depth > MAX_DEPTH) fail(15, `Document exceeds the nesting limit of ${MAX_DEPTH} levels`);
  const out: Doc = new Map();
  const limit = end - 1;
  let position = offset + 4;
  while (position < limit) {
    const type = present(buffer[position]);
    const nameEnd = cstringEnd(buffer, position + 1, limit);
    const name = buffer.toString("utf8", position + 1, nameEnd);
    position = valueEnd(type, buffer, nameEnd + 1, limit);
    if (wanted && !wanted.has(name)) continue;
    out.set(name, decodeValue(type, buffer, nameEnd + 1, position, depth));
  }
  return out;
}

function decodeItems(buffer: Buffer, offset: number, end: number, depth: number): Value[] {
  if (depth > MAX_DEPTH) fail(15, `Document exceeds the nesting limit of ${MAX_DEPTH} levels`);
  const out: Value[] = [];
  const limit = end - 1;
  let position = offset + 4;
  while (position < limit) {
    const type = present(buffer[position]);
    const nameEnd = cstringEnd(buffer, position + 1, limit);
    position = valueEnd(type, buffer, nameEnd + 1, limit);
    out.push(decodeValue(type, buffer, nameEnd + 1, position, depth));
  }
  return out;
}

/** The document at `offset`; with `wanted`, only those top-level fields of it. */
export function decode(buffer: Buffer, offset = 0, wanted?: ReadonlySet<string>): Doc {
  return decodeFields(buffer, offset, offset + documentSize(buffer, offset, buffer.length), 1, wanted);
}

/** Decodes one element found by `elements`. */
export function decodeElement(buffer: Buffer, element: Element): Value {
  return decodeValue(element.type, buffer, element.valueStart, element.end, 1);
}

/** Walks every byte of a document that is about to be stored as it came. */
export function validateDocument(buffer: Buffer, offset: number, depth = 1): void {
  if (depth > MAX_DEPTH) fail(15, `Document exceeds the nesting limit of ${MAX_DEPTH} levels`);
  const limit = offset + documentSize(buffer, offset, buffer.length) - 1;
  let position = offset + 4;
  while (position < limit) {
    const type = present(buffer[position]);
    const valueStart = cstringEnd(buffer, position + 1, limit) + 1;
    position = valueEnd(type, buffer, valueStart, limit);
    if (type === 3 || type === 4) validateDocument(buffer, valueStart, depth + 1);
  }
}

/** More than any message may carry. An expression can build far more from a few shared parts: writing it ends here. */
export const MAX_ENCODED_BYTES = 64 * 1024 * 1024;

export function failTooLarge(bytes: number, limit: number): never {
  fail(10334, `BSONObj size: ${bytes} is invalid. Size must be between 0 and ${limit}`);
}

/** Grows as it is written; one per encoding. */
class Writer {
  #buffer = Buffer.allocUnsafe(512);
  #at = 0;

  #room(bytes: number): number {
    const offset = this.#at;
    if (offset + bytes > MAX_ENCODED_BYTES) failTooLarge(offset + bytes, MAX_ENCODED_BYTES);
    if (offset + bytes > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, offset + bytes));
      this.#buffer.copy(larger, 0, 0, offset);
      this.#buffer = larger;
    }
    this.#at = offset + bytes;
    return offset;
  }

  writeByte(value: number): void {
    const offset = this.#room(1);
    this.#buffer[offset] = value;
  }
  writeInt32(value: number): void {
    const offset = this.#room(4);
    this.#buffer.writeInt32LE(value, offset);
  }
  writeInt64(value: bigint): void {
    const offset = this.#room(8);
    this.#buffer.writeBigInt64LE(BigInt.asIntN(64, value), offset);
  }
  writeDouble(value: number): void {
    const offset = this.#room(8);
    // Processors sign the NaN that they compute differently; the constant has no sign.
    this.#buffer.writeDoubleLE(Number.isNaN(value) ? Number.NaN : value, offset);
  }
  writeBytes(value: Buffer): void {
    const offset = this.#room(value.length);
    value.copy(this.#buffer, offset);
  }
  writeCstring(value: string): void {
    if (value.includes("\0")) fail(2, "A field name must not contain NUL");
    const size = Buffer.byteLength(value);
    const offset = this.#room(size + 1);
    this.#buffer.write(value, offset, "utf8");
    this.#buffer[offset + size] = 0;
  }
  writeString(value: string): void {
    const size = Buffer.byteLength(value);
    const offset = this.#room(size + 5);
    this.#buffer.writeInt32LE(size + 1, offset);
    this.#buffer.write(value, offset + 4, "utf8");
    this.#buffer[offset + 4 + size] = 0;
  }
  /** Writes what `body` writes between its own length and a final zero. */
  writeFramed(body: () => void): void {
    const start = this.#room(4);
    body();
    this.writeByte(0);
    this.#buffer.writeInt32LE(this.#at - start, start);
  }
  toBuffer(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }
}

function writeValue(writer: Writer, value: Value, depth: number): void {
  if (typeof value === "string") writer.writeString(value);
  else if (typeof value === "number") writer.writeDouble(value);
  else if (typeof value === "bigint") writer.writeInt64(value);
  else if (typeof value === "boolean") writer.writeByte(value ? 1 : 0);
  else if (value instanceof Int32) writer.writeInt32(value.value);
  else if (value instanceof Map) writeFields(writer, value, depth + 1);
  else if (Array.isArray(value)) writeItems(writer, value, depth + 1);
  else if (value instanceof ObjectId) writer.writeBytes(value.bytes);
  else if (value instanceof UtcDate) writer.writeInt64(value.ms);
  else if (value instanceof Binary) {
    writer.writeInt32(value.bytes.length);
    writer.writeByte(value.subtype);
    writer.writeBytes(value.bytes);
  }
}

function writeFields(writer: Writer, fields: Doc, depth: number): void {
  if (depth > MAX_DEPTH) fail(15, `Document exceeds the nesting limit of ${MAX_DEPTH} levels`);
  writer.writeFramed(() => {
    for (const [name, value] of fields) writeField(writer, name, value, depth);
  });
}

function writeItems(writer: Writer, items: Value[], depth: number): void {
  if (depth > MAX_DEPTH) fail(15, `Document exceeds the nesting limit of ${MAX_DEPTH} levels`);
  writer.writeFramed(() => {
    for (let i = 0; i < items.length; i++) writeField(writer, String(i), present(items[i]), depth);
  });
}

/** A document that is encoded already, for a place in an answer; it is copied, never looked into. */
class RawDocument {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** Wraps encoded bytes as a value that `encode` copies. It must not be used for anything else. */
export function asRawValue(bytes: Buffer): Value {
  return new RawDocument(bytes) as unknown as Value;
}

function writeField(writer: Writer, name: string, value: Value, depth: number): void {
  if ((value as unknown) instanceof RawDocument) {
    writer.writeByte(3);
    writer.writeCstring(name);
    writer.writeBytes((value as unknown as RawDocument).bytes);
    return;
  }
  writer.writeByte(typeNumber(value));
  writer.writeCstring(name);
  writeValue(writer, value, depth);
}

export function encode(fields: Doc): Buffer {
  const writer = new Writer();
  writeFields(writer, fields, 1);
  return writer.toBuffer();
}
