/** More than our callers send: a thousand alerts with all their labels. */
const VALUES_MAX = 50_000;
const DEPTH_MAX = 64;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [NOTHING, STRING, OPENING, CLOSING, COMMA] = [0, 1, 2, 3, 4];

const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const kinds: Record<string, number> = {
    '"': STRING,
    "[": OPENING,
    "{": OPENING,
    "]": CLOSING,
    "}": CLOSING,
    ",": COMMA,
  };
  return kinds[String.fromCharCode(byte)] ?? NOTHING;
});

/**
 * True if a JSON text has so many values or such a depth that parsing would cost more than reading it. Counts in the bytes before anything
 * is parsed; the parser decides whether they are JSON.
 */
export function exceedsJsonLimits(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let [depth, values] = [0, 0];
  for (let i = 0; i < length; i += 1) {
    const kind = KINDS[bytes[i] ?? 0];
    if (kind === NOTHING) continue;
    if (kind === STRING) i = findStringEnd(bytes, i);
    else if (kind === CLOSING) depth -= 1;
    else values += 1;
    if (kind === OPENING) depth += 1;
    if (depth > DEPTH_MAX || values > VALUES_MAX) return true;
  }
  return false;
}

function findStringEnd(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let i = from + 1;
  while (i < length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}
