/**
 * A program's output: two areas of memory shared with this process, and a header with their lengths and whether output was cut.
 * No function of this process is called for it.
 */
const HEADER_WORDS = 4;
const TRUNCATED = 2;

export function createOutput(maxBytes, report) {
  const buffer = new SharedArrayBuffer(HEADER_WORDS * 4 + 2 * maxBytes);
  const words = new Int32Array(buffer, 0, HEADER_WORDS);
  const sentUpTo = [0, 0];
  const areaStart = (area) => HEADER_WORDS * 4 + area * maxBytes;
  /** The lengths are untrusted, so they are limited to the areas. */
  const length = (area) => Math.min(Math.max(0, Atomics.load(words, area)), maxBytes);
  return {
    buffer,
    isTruncated: () => Atomics.load(words, TRUNCATED) !== 0,
    send() {
      for (const area of [0, 1]) {
        const end = length(area);
        if (end <= sentUpTo[area]) continue;
        const newBytes = new Uint8Array(buffer, areaStart(area) + sentUpTo[area], end - sentUpTo[area]);
        report({ output: area, base64: Buffer.from(newBytes).toString("base64") });
        sentUpTo[area] = end;
      }
    },
    append(area, text) {
      const bytes = Buffer.from(text);
      const from = length(area);
      const fitting = bytes.subarray(0, maxBytes - from);
      new Uint8Array(buffer, areaStart(area), maxBytes).set(fitting, from);
      Atomics.store(words, area, from + fitting.length);
      if (fitting.length < bytes.length) Atomics.store(words, TRUNCATED, 1);
    },
  };
}
