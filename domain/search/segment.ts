/**
 * A segment of the search index: for each key the places of the files that have it, written once and never changed. It is cut into chunks by
 * ranges of keys, so that a search reads the few chunks its keys fall into. A chunk begins with a directory of its blocks; a block is some
 * keys that follow each other: how far each is from the one before, the length of its list, and the list as distances.
 */

/** Places are counted from the segment's first number and stand in order. */
type KeyPlaces = { key: number; places: number[] };
export type Chunk = { firstKey: number; data: Uint8Array<ArrayBuffer> };

/** The size at which a chunk ends. One very long list may make it larger. */
const CHUNK_BYTES = 32 * 1024;
const BLOCK_KEYS = 32;
const DIRECTORY_ENTRY_BYTES = 8;

/** Turns what each file is filed under into what each key names. Files are given in the order of their places. */
export function* invertFiles(
  files: readonly { place: number; keys: ArrayLike<number> }[],
): Generator<KeyPlaces> {
  const total = files.reduce((sum, { keys }) => sum + keys.length, 0);
  const pairs = new Float64Array(total);
  let at = 0;
  for (const [i, { keys }] of files.entries())
    for (let k = 0; k < keys.length; k += 1) pairs[at++] = (keys[k] ?? 0) * files.length + i;
  pairs.sort();
  for (let from = 0; from < total; ) {
    const key = Math.floor((pairs[from] ?? 0) / files.length);
    const places: number[] = [];
    for (; from < total && Math.floor((pairs[from] ?? 0) / files.length) === key; from += 1)
      places.push(files[(pairs[from] ?? 0) - key * files.length]?.place ?? 0);
    yield { key, places };
  }
}

/** Writes entries, in the order of their keys, as chunks. */
export function* encodeChunks(entries: Iterable<KeyPlaces>): Generator<Chunk> {
  const writer = new ChunkWriter();
  for (const { key, places } of entries) {
    const full = writer.add(key, places);
    if (full) yield full;
  }
  const last = writer.finish();
  if (last) yield last;
}

/** Takes entries one by one and answers a chunk whenever one is full. */
export class ChunkWriter {
  #bytes = new Bytes();
  #blocks: { firstKey: number; offset: number }[] = [];
  #keysInBlock = 0;
  #lastKey = 0;

  /** The first `count` places, in order. */
  add(key: number, places: ArrayLike<number>, count = places.length): Chunk | null {
    const full = this.#bytes.length >= CHUNK_BYTES ? this.finish() : null;
    if (this.#blocks.length === 0 || this.#keysInBlock === BLOCK_KEYS) {
      this.#blocks.push({ firstKey: key, offset: this.#bytes.length });
      this.#keysInBlock = 0;
      this.#lastKey = key;
    }
    this.#bytes.number(key - this.#lastKey);
    this.#lastKey = key;
    this.#keysInBlock += 1;
    this.#bytes.list(places, count);
    return full;
  }

  finish(): Chunk | null {
    const [first] = this.#blocks;
    if (!first) return null;
    const directory = new DataView(new ArrayBuffer(4 + this.#blocks.length * DIRECTORY_ENTRY_BYTES));
    directory.setUint32(0, this.#blocks.length, true);
    for (const [i, { firstKey, offset }] of this.#blocks.entries()) {
      directory.setUint32(4 + i * DIRECTORY_ENTRY_BYTES, firstKey, true);
      directory.setUint32(8 + i * DIRECTORY_ENTRY_BYTES, offset, true);
    }
    const data = new Uint8Array(directory.byteLength + this.#bytes.length);
    data.set(new Uint8Array(directory.buffer));
    data.set(this.#bytes.written(), directory.byteLength);
    this.#bytes = new Bytes();
    this.#blocks = [];
    this.#keysInBlock = 0;
    return { firstKey: first.firstKey, data };
  }
}

class Bytes {
  length = 0;
  #room = new Uint8Array(CHUNK_BYTES);

  /** Seven bits in a byte, the lowest first; the eighth says that more follow. */
  number(value: number): void {
    if (this.length + 5 > this.#room.length) this.#grow(5);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#room[this.length++] = (rest & 0x7f) | 0x80;
    this.#room[this.length++] = rest;
  }

  /** The length of the list in bytes, then how far each place is from the one before. */
  list(places: ArrayLike<number>, count: number): void {
    let bytes = 0;
    for (let i = 0, last = 0; i < count; i += 1) {
      const place = places[i] ?? 0;
      bytes += countBytes(place - last);
      last = place;
    }
    this.number(bytes);
    for (let i = 0, last = 0; i < count; i += 1) {
      const place = places[i] ?? 0;
      this.number(place - last);
      last = place;
    }
  }

  written(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(this.#room.length * 2, this.length + needed));
    larger.set(this.written());
    this.#room = larger;
  }
}

const countBytes = (value: number) =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;

/** Where reading stands in a chunk. */
type Cursor = { data: Uint8Array; at: number };

function readNumber(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = cursor.data[cursor.at++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
}

const viewDirectory = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** Where the list of a key stands in a chunk. */
export type PlacesOfKey = { data: Uint8Array; from: number; to: number };

/** Null where the chunk does not have the key. */
export function findPlaces(data: Uint8Array, key: number): PlacesOfKey | null {
  const directory = viewDirectory(data);
  const blocks = directory.getUint32(0, true);
  const firstKey = (block: number) => directory.getUint32(4 + block * DIRECTORY_ENTRY_BYTES, true);
  const block = findLast(blocks, (i) => firstKey(i) <= key);
  if (block < 0) return null;
  const start = 4 + blocks * DIRECTORY_ENTRY_BYTES;
  const offset = (i: number) => start + directory.getUint32(8 + i * DIRECTORY_ENTRY_BYTES, true);
  const end = block + 1 < blocks ? offset(block + 1) : data.length;
  const cursor = { data, at: offset(block) };
  for (let at = firstKey(block); cursor.at < end; ) {
    at += readNumber(cursor);
    const bytes = readNumber(cursor);
    if (at === key) return { data, from: cursor.at, to: cursor.at + bytes };
    if (at > key) return null;
    cursor.at += bytes;
  }
  return null;
}

export function readPlaces({ data, from, to }: PlacesOfKey): number[] {
  const cursor = { data, at: from };
  const places: number[] = [];
  for (let place = 0; cursor.at < to; ) {
    place += readNumber(cursor);
    places.push(place);
  }
  return places;
}

/** The places that all of these lists have, in order. The shortest is read first, so that the others only leave some of it out. */
export function readCommonPlaces(lists: readonly PlacesOfKey[]): number[] {
  const [shortest, ...longer] = lists.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  if (!shortest) return [];
  const common = readPlaces(shortest);
  for (const list of longer) leaveCommon(common, list);
  return common;
}

function leaveCommon(places: number[], { data, from, to }: PlacesOfKey): void {
  const cursor = { data, at: from };
  let kept = 0;
  let place = cursor.at < to ? readNumber(cursor) : Number.POSITIVE_INFINITY;
  for (const wanted of places) {
    while (place < wanted) place = cursor.at < to ? place + readNumber(cursor) : Number.POSITIVE_INFINITY;
    if (place === wanted) places[kept++] = wanted;
  }
  places.length = kept;
}

/** The last of `count` for which it holds, where it holds for the first ones and for none after them; -1 for none. */
export function findLast(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Reads a chunk from its first key to its last. Merging meets each key of each file, so nothing is made on the way. */
export class ChunkReader {
  key = 0;
  #block = -1;
  #blockEnd = 0;
  #listEnd: number;
  readonly #cursor: Cursor;
  readonly #directory: DataView;
  readonly #start: number;

  constructor(data: Uint8Array) {
    this.#directory = viewDirectory(data);
    this.#start = 4 + this.#directory.getUint32(0, true) * DIRECTORY_ENTRY_BYTES;
    this.#listEnd = this.#start;
    this.#cursor = { data, at: this.#start };
  }

  /** Goes to the next key; false after the last one. */
  next(): boolean {
    const cursor = this.#cursor;
    cursor.at = this.#listEnd;
    if (cursor.at >= cursor.data.length) return false;
    if (this.#block < 0 || cursor.at >= this.#blockEnd) this.#enterBlock();
    this.key += readNumber(cursor);
    const bytes = readNumber(cursor);
    this.#listEnd = cursor.at + bytes;
    return true;
  }

  #enterBlock(): void {
    this.#block += 1;
    const entry = 4 + this.#block * DIRECTORY_ENTRY_BYTES;
    const next = entry + DIRECTORY_ENTRY_BYTES;
    this.key = this.#directory.getUint32(entry, true);
    this.#blockEnd =
      next < this.#start ? this.#start + this.#directory.getUint32(next + 4, true) : this.#cursor.data.length;
  }

  /** Adds the places of the key, each moved by `shift`. */
  addPlaces(places: PlaceList, shift: number): void {
    for (let place = shift; this.#cursor.at < this.#listEnd; ) {
      place += readNumber(this.#cursor);
      places.push(place);
    }
  }
}

/** A list of places that is filled again and again. */
export class PlaceList {
  count = 0;
  values = new Uint32Array(1024);

  push(place: number): void {
    if (this.count === this.values.length) {
      const larger = new Uint32Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.count++] = place;
  }

  /** Leaves out what does not hold. */
  keep(holds: (place: number, i: number) => boolean): void {
    let kept = 0;
    for (let i = 0; i < this.count; i += 1) {
      const place = this.values[i] ?? 0;
      if (holds(place, i)) this.values[kept++] = place;
    }
    this.count = kept;
  }

  /** Sorts, and leaves each place once. */
  arrange(): void {
    this.values.subarray(0, this.count).sort();
    let last = -1;
    this.keep((place) => {
      const isNew = place !== last;
      last = place;
      return isNew;
    });
  }
}
