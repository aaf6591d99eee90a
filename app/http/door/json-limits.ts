/** More than any caller of ours sends: a thousand alerts with all their labels. */
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
 * Whether a JSON text has so many values, or such a depth, that making them would cost more than reading them. It is counted in the
 * bytes, before anything is made; whether they are JSON at all is for the parser to say.
 */
export function exceedsJsonLimits(bytes: Uint8Array): boolean {
  const { length } = bytes;
  let [depth, values] = [0, 0];
  for (let at = 0; at < length; at += 1) {
    const kind = KINDS[bytes[at] ?? 0];
    if (kind === NOTHING) continue;
    if (kind === STRING) at = findStringEnd(bytes, at);
    else if (kind === CLOSING) depth -= 1;
    else values += 1;
    if (kind === OPENING) depth += 1;
    if (depth > DEPTH_MAX || values > VALUES_MAX) return true;
  }
  return false;
}

function findStringEnd(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = from + 1;
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
