/**
 * Cuts the text of a JSON array into its elements without parsing it, so that each can be parsed and checked before the next
 * is looked at. Memory is bounded by the largest element: `valuesMax` limits how many values one has inside, `depthMax` how
 * deep they lie. An element that is no JSON is found when it is parsed.
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
  let at = from;
  while (at < bytes.length && SPACES.includes(bytes[at] ?? 0)) at += 1;
  return at;
};

/** Every element in order; a fault is the last thing it yields. */
export function* splitJsonArray(bytes: Uint8Array, limits: JsonElementLimits): Generator<JsonElement> {
  let at = skipSpaces(bytes, 0);
  if (bytes[at] !== LIST_START) return void (yield { fault: "not_a_list" });
  at = skipSpaces(bytes, at + 1);
  if (bytes[at] !== LIST_END)
    for (;;) {
      const end = findElementEnd(bytes, at, limits);
      if (typeof end === "string") return void (yield { fault: end });
      yield { bytes: bytes.subarray(at, end) };
      at = end;
      if (bytes[at] === LIST_END) break;
      at = skipSpaces(bytes, at + 1);
    }
  if (skipSpaces(bytes, at + 1) !== bytes.length) yield { fault: "not_json" };
}

/** The place of the comma or bracket behind the element that begins here. */
function findElementEnd(
  bytes: Uint8Array,
  start: number,
  { depthMax, valuesMax }: JsonElementLimits,
): number | JsonElementFault {
  let depth = 0;
  let values = 1;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = findStringEnd(bytes, at);
      continue;
    }
    if (depth === 0 && (byte === COMMA || byte === LIST_END)) return at;
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

/** The place of the quote that ends the string which begins here. */
function findStringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
