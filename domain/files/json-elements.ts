/**
 * Cuts the text of a JSON array into its elements without parsing them, so that each can be parsed and checked before the next is
 * read. Memory is bounded by the largest element: `valuesMax` limits the values inside an element, `depthMax` their nesting. Invalid
 * JSON within an element is left to the parser.
 */
type JsonElementLimits = { depthMax: number; valuesMax: number };
export type JsonElementFault = "not_json" | "not_a_list" | "too_deep" | "too_many_values";
type JsonElement = { bytes: Uint8Array } | { fault: JsonElementFault };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];
const [LIST_START] = OPENING;
const [LIST_END] = CLOSING;
const SPACES = [0x20, 0x0a, 0x0d, 0x09];

const skipSpaces = (bytes: Uint8Array, from: number): number => {
  let offset = from;
  while (offset < bytes.length && SPACES.includes(bytes[offset] ?? 0)) offset += 1;
  return offset;
};

/** Yields each element in order. A fault ends the sequence. */
export function* splitJsonArray(bytes: Uint8Array, limits: JsonElementLimits): Generator<JsonElement> {
  let offset = skipSpaces(bytes, 0);
  if (bytes[offset] !== LIST_START) return void (yield { fault: "not_a_list" });
  offset = skipSpaces(bytes, offset + 1);
  if (bytes[offset] !== LIST_END)
    for (;;) {
      const end = findElementEnd(bytes, offset, limits);
      if (typeof end === "string") return void (yield { fault: end });
      yield { bytes: bytes.subarray(offset, end) };
      offset = end;
      if (bytes[offset] === LIST_END) break;
      offset = skipSpaces(bytes, offset + 1);
    }
  if (skipSpaces(bytes, offset + 1) !== bytes.length) yield { fault: "not_json" };
}

function findElementEnd(
  bytes: Uint8Array,
  start: number,
  { depthMax, valuesMax }: JsonElementLimits,
): number | JsonElementFault {
  let depth = 0;
  let values = 1;
  for (let offset = start; offset < bytes.length; offset += 1) {
    const byte = bytes[offset] ?? 0;
    if (byte === QUOTE) {
      offset = findStringEnd(bytes, offset);
      continue;
    }
    if (depth === 0 && (byte === COMMA || byte === LIST_END)) return offset;
    if (OPENING.includes(byte)) {
      depth += 1;
      values += 1;
    } else if (CLOSING.includes(byte)) depth -= 1;
    else if (byte === COMMA) values += 1;
    if (depth > depthMax) return "too_deep";
    if (values > valuesMax) return "too_many_values";
    if (depth < 0) return "not_json";
  }
  return "not_json";
}

function findStringEnd(bytes: Uint8Array, start: number): number {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== QUOTE) offset += bytes[offset] === BACKSLASH ? 2 : 1;
  return offset;
}
