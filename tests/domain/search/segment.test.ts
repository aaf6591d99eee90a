import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { decodeChunk, encodeChunks, findPlaces, invertFiles } from "#domain/search/segment.ts";

const key = fc.integer({ min: 0, max: 2 ** 28 - 1 });
const files = fc
  .array(fc.uniqueArray(key, { maxLength: 60 }), { maxLength: 40 })
  .map((lists) => lists.map((keys, i) => ({ place: i * 3, keys: keys.sort((a, b) => a - b) })));

describe("a segment", () => {
  it("names under each key the files that have it, and no others", () => {
    fc.assert(
      fc.property(files, key, (given, absent) => {
        const chunks = [...encodeChunks(invertFiles(given))];
        const keys = new Set([...given.flatMap((file) => file.keys), absent]);
        for (const asked of keys) {
          const chunk = chunks.findLast(({ firstKey }) => firstKey <= asked);
          const places = chunk ? findPlaces(chunk.data, asked) : [];
          expect(places).toEqual(given.filter((file) => file.keys.includes(asked)).map(({ place }) => place));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("is read back as it was written, over several chunks", () => {
    const entries = Array.from({ length: 30_000 }, (_, i) => ({
      key: i * 7,
      places: Array.from({ length: i % 40 === 0 ? 200 : 2 }, (_, k) => k * (1 + (i % 300))),
    }));
    const chunks = [...encodeChunks(entries)];
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.flatMap(({ data }) => [...decodeChunk(data)])).toEqual(entries);
    expect(chunks.map(({ firstKey }) => firstKey)).toEqual(
      chunks.map(({ data }) => required(decodeChunk(data).next().value).key),
    );
  });

  it("takes few bytes for what many files have", () => {
    const everywhere = { key: 5, places: Array.from({ length: 10_000 }, (_, i) => i) };
    const [chunk] = encodeChunks([everywhere]);
    expect(required(chunk).data.length).toBeLessThan(10_100);
  });
});
