import { isUtf8 } from "node:buffer";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { Refusal } from "#domain/refusal.ts";

/**
 * Parses both encodings of a form in one pass over its bytes and stops at the first field beyond the limit, so that the cost grows with the
 * size alone. The standard parser first makes an entry for every field.
 */
export type FormField = { name: string; value: string | File };

/** More than any of our pages sends: a hundred chosen files, or nearly two hundred new ones. */
export const FORM_FIELDS_MAX = 200;
const NAME_MAX_BYTES = 100;
const PART_HEAD_MAX_BYTES = 4096;

const [CR, LF, DASH, PLUS] = [0x0d, 0x0a, 0x2d, 0x2b];
const [SPACE, PERCENT, AND, EQUALS] = [0x20, 0x25, 0x26, 0x3d];

/** Enough for a file of the largest size with every byte escaped. Our forms with long texts are sent as multipart. */
const URL_ENCODED_MAX_BYTES = 3 * BODY_MAX_BYTES + 1024 * 1024;

const isUrlEncoded = (contentType: string) =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType);

/** The byte limit for a form in this encoding, if a multipart form may have `maxBytes`. */
export const formMaxBytes = (contentType: string, maxBytes: number) =>
  isUrlEncoded(contentType) ? Math.min(maxBytes, URL_ENCODED_MAX_BYTES) : maxBytes;

export function parseForm(
  bytes: Uint8Array,
  contentType: string,
  fieldsMax = FORM_FIELDS_MAX,
): FormField[] | Refusal {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const fields = new Fields(fieldsMax);
    if (isUrlEncoded(contentType)) return parseUrlEncoded(body, fields);
    const boundary = readBoundary(contentType);
    return boundary === null ? notAForm() : parseMultipart(body, boundary, fields);
  } catch (error) {
    if (error instanceof UnreadableForm) return error.refusal;
    throw error;
  }
}

class UnreadableForm extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

const notAForm = () => Refusal("invalid_payload", { message: "The body is not a form." });
const unreadable = () => new UnreadableForm(notAForm());

class Fields {
  readonly list: FormField[] = [];
  readonly #max: number;
  #counted = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts another field, even an empty one. */
  count(): void {
    this.#counted += 1;
    if (this.#counted > this.#max) throw new UnreadableForm(Refusal("too_many_fields", { max: this.#max }));
  }

  add(name: Buffer, value: Buffer | File): void {
    if (name.length > NAME_MAX_BYTES) throw unreadable();
    this.list.push({ name: decodeText(name), value: value instanceof File ? value : decodeText(value) });
  }
}

/** Decodes UTF-8, in which browsers send our forms. Another encoding is refused, because it would be stored as different text. */
function decodeText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw unreadable();
  return bytes.toString("utf8");
}

function parseUrlEncoded(body: Buffer, fields: Fields): FormField[] {
  for (let start = 0; start < body.length; ) {
    fields.count();
    const separator = body.indexOf(AND, start);
    const end = separator === -1 ? body.length : separator;
    const pair = body.subarray(start, end);
    const equals = pair.indexOf(EQUALS);
    const split = equals === -1 ? pair.length : equals;
    if (pair.length > 0)
      fields.add(unescapeUrl(pair.subarray(0, split)), unescapeUrl(pair.subarray(split + 1)));
    start = end + 1;
  }
  return fields.list;
}

/** Decodes in place, because the decoded text is never longer. */
function unescapeUrl(text: Buffer): Buffer {
  if (!text.includes(PERCENT) && !text.includes(PLUS)) return text;
  const { length } = text;
  let end = 0;
  for (let i = 0; i < length; i += 1) {
    const byte = text[i] ?? 0;
    const isCoded = byte === PERCENT && i + 2 < length;
    const coded = isCoded ? (hexValue(text[i + 1]) << 4) | hexValue(text[i + 2]) : -1;
    if (coded >= 0) i += 2;
    text[end] = coded >= 0 ? coded : byte === PLUS ? SPACE : byte;
    end += 1;
  }
  return text.subarray(0, end);
}

/** Returns -1 for anything but a digit. */
const hexValue = (byte = 0) => HEX_VALUES[byte] ?? -1;
const HEX_VALUES = Int8Array.from({ length: 256 }, (_, byte) =>
  "0123456789abcdef".indexOf(String.fromCharCode(byte).toLowerCase()),
);

function readBoundary(contentType: string): string | null {
  const [type = "", ...parameters] = contentType.split(";");
  if (type.trim().toLowerCase() !== "multipart/form-data") return null;
  const parameter = parameters.map((it) => it.trim()).find((it) => /^boundary=/i.test(it));
  const boundary = parameter?.slice("boundary=".length).replace(/^"(.*)"$/, "$1") ?? "";
  return /^[\w'()+,./:=? -]{1,70}$/.test(boundary) ? boundary : null;
}

/** Parses a multipart form. A form without its last boundary was cut off on its way and is refused. */
function parseMultipart(body: Buffer, boundary: string, fields: Fields): FormField[] {
  const opening = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const startsAtOnce = body.subarray(0, opening.length).equals(opening);
  let position = startsAtOnce ? opening.length : findDelimiter(body, delimiter, 0) + delimiter.length;
  while (!(body[position] === DASH && body[position + 1] === DASH)) {
    if (body[position] !== CR || body[position + 1] !== LF) throw unreadable();
    fields.count();
    const head = readPartHead(body, position + 2);
    const end = findDelimiter(body, delimiter, head.end);
    const content = body.subarray(head.end, end);
    fields.add(head.name, head.fileName === null ? content : toFile(content, head.fileName));
    position = end + delimiter.length;
  }
  return fields.list;
}

function findDelimiter(body: Buffer, delimiter: Buffer, from: number): number {
  const position = body.indexOf(delimiter, from);
  if (position === -1) throw unreadable();
  return position;
}

type PartHead = { name: Buffer; fileName: string | null; end: number };

function readPartHead(body: Buffer, from: number): PartHead {
  const area = body.subarray(from, from + PART_HEAD_MAX_BYTES);
  const length = area.indexOf("\r\n\r\n");
  if (length === -1) throw unreadable();
  const lines = decodeText(area.subarray(0, length)).split("\r\n");
  const disposition = lines.find((line) => /^content-disposition:[ \t]*form-data[ \t]*;/i.test(line));
  const name = disposition && /;[ \t]*name="([^"]*)"/i.exec(disposition)?.[1];
  if (disposition === undefined || name === undefined) throw unreadable();
  const fileName = /;[ \t]*filename="([^"]*)"/i.exec(disposition)?.[1];
  return {
    name: Buffer.from(unescapeQuoted(name)),
    fileName: fileName === undefined ? null : unescapeQuoted(fileName),
    end: from + length + 4,
  };
}

/** Browsers escape only these three inside quotes. */
const ESCAPED: Record<string, string> = { "%22": '"', "%0D": "\r", "%0A": "\n" };
const unescapeQuoted = (text: string) =>
  text.replace(/%(22|0D|0A)/gi, (code) => ESCAPED[code.toUpperCase()] ?? code);

// The types allow memory shared by threads, which a body never uses.
const toFile = (content: Buffer, name: string) => new File([content as BlobPart], name);
