import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import {
  ChunkReader,
  encodeChunks,
  findPlaces,
  invertFiles,
  PlaceList,
  readCommonPlaces,
  readPlaces,
} from "#domain/search/segment.ts";

const key = fc.integer({ min: 0, max: 2 ** 28 - 1 });
const files = fc
  .array(fc.uniqueArray(key, { maxLength: 60 }), { maxLength: 40 })
  .map((lists) => lists.map((keys, i) => ({ place: i * 3, keys: keys.sort((a, b) => a - b) })));

function readChunk(data: Uint8Array, shift = 0) {
  const reader = new ChunkReader(data);
  const entries: { key: number; places: number[] }[] = [];
  while (reader.next()) {
    const places = new PlaceList();
    reader.addPlaces(places, shift);
    entries.push({ key: reader.key, places: [...places.values.subarray(0, places.count)] });
  }
  return entries;
}

describe("a segment", () => {
  it("names under each key the files that have it, and no others", () => {
    fc.assert(
      fc.property(files, key, (stored, absent) => {
        const chunks = [...encodeChunks(invertFiles(stored))];
        const keys = new Set([...stored.flatMap((file) => file.keys), absent]);
        for (const wanted of keys) {
          const chunk = chunks.findLast(({ firstKey }) => firstKey <= wanted);
          const list = chunk ? findPlaces(chunk.data, wanted) : null;
          expect(list ? readPlaces(list) : []).toEqual(
            stored.filter((file) => file.keys.includes(wanted)).map(({ place }) => place),
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  it("names under several keys the files that have them all", () => {
    const places = fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.array(places, { minLength: 1, maxLength: 5 }), (placeLists) => {
        const lists = placeLists.map((list) => list.toSorted((a, b) => a - b));
        const { data } = required([...encodeChunks(lists.map((list, key) => ({ key, places: list })))][0]);
        const common = readCommonPlaces(lists.map((_, key) => required(findPlaces(data, key))));
        expect(common).toEqual(lists[0]?.filter((place) => lists.every((list) => list.includes(place))));
      }),
    );
    expect(readCommonPlaces([])).toEqual([]);
  });

  it("is read back as it was written, over several chunks", () => {
    const entries = Array.from({ length: 10_000 }, (_, i) => ({
      key: i * 7,
      places: Array.from({ length: i % 40 === 0 ? 200 : 2 }, (_, k) => k * (1 + (i % 300))),
    }));
    const chunks = [...encodeChunks(entries)];
    expect(chunks.length).toBeGreaterThan(2);
    const read = chunks.map(({ data }) => readChunk(data));
    // Comparing two texts is much faster than comparing two trees.
    expect(JSON.stringify(read.flat())).toBe(JSON.stringify(entries));
    expect(chunks.map(({ firstKey }) => firstKey)).toEqual(read.map(([first]) => required(first).key));
  });

  it("is read with its places moved, and past keys whose places nobody wants", () => {
    const entries = Array.from({ length: 100 }, (_, i) => ({ key: i, places: [i, i + 300] }));
    const { data } = required([...encodeChunks(entries)][0]);
    expect(required(readChunk(data, 1_000)[99])).toEqual({ key: 99, places: [1_099, 1_399] });
    const reader = new ChunkReader(data);
    const keys: number[] = [];
    while (reader.next()) keys.push(reader.key);
    expect(keys).toEqual(entries.map((entry) => entry.key));
  });

  it("takes few bytes for what many files have", () => {
    const [chunk] = encodeChunks([{ key: 5, places: Array.from({ length: 10_000 }, (_, i) => i) }]);
    expect(required(chunk).data.length).toBeLessThan(10_100);
  });
});

it("a list of positions grows, is sorted with each position once, and omits invalid ones", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 3_000 }), (given) => {
      const places = new PlaceList();
      for (const place of given) places.push(place);
      places.sortDistinct();
      const sorted = [...new Set(given)].sort((a, b) => a - b);
      expect([...places.values.subarray(0, places.count)]).toEqual(sorted);
      places.keep((place) => place % 2 === 0);
      expect([...places.values.subarray(0, places.count)]).toEqual(sorted.filter((n) => n % 2 === 0));
    }),
    { numRuns: 30 },
  );
});
