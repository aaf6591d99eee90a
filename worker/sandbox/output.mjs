/**
 * What a program writes: two areas in memory that it shares with this process, and a header of their lengths and whether
 * something was left out. No function of this process is called for it.
 */
const HEADER_WORDS = 4;
const TRUNCATED = 2;

export function createOutput(maxBytes, report) {
  const buffer = new SharedArrayBuffer(HEADER_WORDS * 4 + 2 * maxBytes);
  const words = new Int32Array(buffer, 0, HEADER_WORDS);
  const sentUpTo = [0, 0];
  const areaStart = (area) => HEADER_WORDS * 4 + area * maxBytes;
  /** The lengths are not trusted: they are cut to the areas. */
  const length = (area) => Math.min(Math.max(0, Atomics.load(words, area)), maxBytes);
  return {
    buffer,
    isTruncated: () => Atomics.load(words, TRUNCATED) !== 0,
    /** Reports whatever was written since the last time. */
    send() {
      for (const area of [0, 1]) {
        const end = length(area);
        if (end <= sentUpTo[area]) continue;
        const fresh = new Uint8Array(buffer, areaStart(area) + sentUpTo[area], end - sentUpTo[area]);
        report({ output: area, base64: Buffer.from(fresh).toString("base64") });
        sentUpTo[area] = end;
      }
    },
    /** Adds a text to what the program wrote, as far as it fits. */
    append(area, text) {
      const bytes = Buffer.from(text);
      const from = length(area);
      const kept = bytes.subarray(0, maxBytes - from);
      new Uint8Array(buffer, areaStart(area), maxBytes).set(kept, from);
      Atomics.store(words, area, from + kept.length);
      if (kept.length < bytes.length) Atomics.store(words, TRUNCATED, 1);
    },
  };
}
