/**
 * A segment of the search index: for each key the places of the files that have it. It is written once and never changes. It is cut into
 * chunks by ranges of keys, so that a search reads only the few chunks of its keys. A chunk begins with a directory of its blocks. A block
 * has consecutive keys: the distance of each key from the one before, the byte length of its list, and the list as distances.
 */

/** Places are sorted and count from the segment's first number. */
type KeyPlaces = { key: number; places: number[] };
export type Chunk = { firstKey: number; data: Uint8Array<ArrayBuffer> };

/** A chunk ends at this size; a single very long list may make it larger. */
const CHUNK_BYTES = 32 * 1024;
const BLOCK_KEYS = 32;
const DIRECTORY_ENTRY_BYTES = 8;

/** Inverts files with their keys into keys with the places of their files. Files are in the order of their places. */
export function* invertFiles(
  files: readonly { place: number; keys: ArrayLike<number> }[],
): Generator<KeyPlaces> {
  const total = files.reduce((sum, { keys }) => sum + keys.length, 0);
  const pairs = new Float64Array(total);
  let pairCount = 0;
  for (const [i, { keys }] of files.entries())
    for (let k = 0; k < keys.length; k += 1) pairs[pairCount++] = (keys[k] ?? 0) * files.length + i;
  pairs.sort();
  for (let from = 0; from < total; ) {
    const key = Math.floor((pairs[from] ?? 0) / files.length);
    const places: number[] = [];
    for (; from < total && Math.floor((pairs[from] ?? 0) / files.length) === key; from += 1)
      places.push(files[(pairs[from] ?? 0) - key * files.length]?.place ?? 0);
    yield { key, places };
  }
}

export function* encodeChunks(entries: Iterable<KeyPlaces>): Generator<Chunk> {
  const writer = new ChunkWriter();
  for (const { key, places } of entries) {
    const fullChunk = writer.add(key, places);
    if (fullChunk) yield fullChunk;
  }
  const lastChunk = writer.finish();
  if (lastChunk) yield lastChunk;
}

/** Collects entries and returns a chunk whenever one is full. */
export class ChunkWriter {
  #bytes = new Bytes();
  #blocks: { firstKey: number; offset: number }[] = [];
  #keysInBlock = 0;
  #lastKey = 0;

  /** Adds the first `count` places, which are sorted. */
  add(key: number, places: ArrayLike<number>, count = places.length): Chunk | null {
    const fullChunk = this.#bytes.length >= CHUNK_BYTES ? this.finish() : null;
    if (this.#blocks.length === 0 || this.#keysInBlock === BLOCK_KEYS) {
      this.#blocks.push({ firstKey: key, offset: this.#bytes.length });
      this.#keysInBlock = 0;
      this.#lastKey = key;
    }
    this.#bytes.writeNumber(key - this.#lastKey);
    this.#lastKey = key;
    this.#keysInBlock += 1;
    this.#bytes.writeList(places, count);
    return fullChunk;
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
    data.set(this.#bytes.toBytes(), directory.byteLength);
    this.#bytes = new Bytes();
    this.#blocks = [];
    this.#keysInBlock = 0;
    return { firstKey: first.firstKey, data };
  }
}

class Bytes {
  length = 0;
  #room = new Uint8Array(CHUNK_BYTES);

  /** Writes a number with seven bits per byte, the lowest first; the eighth bit says that more follow. */
  writeNumber(value: number): void {
    if (this.length + 5 > this.#room.length) this.#grow(5);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#room[this.length++] = (rest & 0x7f) | 0x80;
    this.#room[this.length++] = rest;
  }

  /** Writes the length of the list in bytes, then the distance of each place from the one before. */
  writeList(places: ArrayLike<number>, count: number): void {
    let bytes = 0;
    for (let i = 0, last = 0; i < count; i += 1) {
      const place = places[i] ?? 0;
      bytes += countBytes(place - last);
      last = place;
    }
    this.writeNumber(bytes);
    for (let i = 0, last = 0; i < count; i += 1) {
      const place = places[i] ?? 0;
      this.writeNumber(place - last);
      last = place;
    }
  }

  toBytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(this.#room.length * 2, this.length + needed));
    larger.set(this.toBytes());
    this.#room = larger;
  }
}

const countBytes = (value: number) =>
  value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;

type Cursor = { data: Uint8Array; offset: number };

function readNumber(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = cursor.data[cursor.offset++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
}

const viewDirectory = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength);

/** The list of a key within a chunk. */
export type PlacesOfKey = { data: Uint8Array; from: number; to: number };

/** Returns null if the chunk does not have the key. */
export function findPlaces(data: Uint8Array, key: number): PlacesOfKey | null {
  const directory = viewDirectory(data);
  const blocks = directory.getUint32(0, true);
  const firstKey = (block: number) => directory.getUint32(4 + block * DIRECTORY_ENTRY_BYTES, true);
  const block = findLast(blocks, (i) => firstKey(i) <= key);
  if (block < 0) return null;
  const start = 4 + blocks * DIRECTORY_ENTRY_BYTES;
  const getOffset = (i: number) => start + directory.getUint32(8 + i * DIRECTORY_ENTRY_BYTES, true);
  const end = block + 1 < blocks ? getOffset(block + 1) : data.length;
  const cursor = { data, offset: getOffset(block) };
  for (let currentKey = firstKey(block); cursor.offset < end; ) {
    currentKey += readNumber(cursor);
    const bytes = readNumber(cursor);
    if (currentKey === key) return { data, from: cursor.offset, to: cursor.offset + bytes };
    if (currentKey > key) return null;
    cursor.offset += bytes;
  }
  return null;
}

export function readPlaces({ data, from, to }: PlacesOfKey): number[] {
  const cursor = { data, offset: from };
  const places: number[] = [];
  for (let place = 0; cursor.offset < to; ) {
    place += readNumber(cursor);
    places.push(place);
  }
  return places;
}

/** Returns the places that are in all lists, sorted. The shortest list is read first, and the others only remove places from it. */
export function readCommonPlaces(lists: readonly PlacesOfKey[]): number[] {
  const [shortest, ...longer] = lists.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  if (!shortest) return [];
  const common = readPlaces(shortest);
  for (const list of longer) retainCommon(common, list);
  return common;
}

function retainCommon(places: number[], { data, from, to }: PlacesOfKey): void {
  const cursor = { data, offset: from };
  let commonCount = 0;
  let place = cursor.offset < to ? readNumber(cursor) : Number.POSITIVE_INFINITY;
  for (const next of places) {
    while (place < next) place = cursor.offset < to ? place + readNumber(cursor) : Number.POSITIVE_INFINITY;
    if (place === next) places[commonCount++] = next;
  }
  places.length = commonCount;
}

/**
 * Finds the last index of `count` for which `holds` is true, by bisection: it must be true for the first ones and false after
 * them. Returns -1 for none.
 */
export function findLast(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Reads a chunk from its first key to its last. It allocates nothing, because merging reads each key of each file. */
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
    this.#cursor = { data, offset: this.#start };
  }

  /** Advances to the next key; returns false after the last one. */
  next(): boolean {
    const cursor = this.#cursor;
    cursor.offset = this.#listEnd;
    if (cursor.offset >= cursor.data.length) return false;
    if (this.#block < 0 || cursor.offset >= this.#blockEnd) this.#enterBlock();
    this.key += readNumber(cursor);
    const bytes = readNumber(cursor);
    this.#listEnd = cursor.offset + bytes;
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

  /** Adds the places of the key, shifted. */
  addPlaces(places: PlaceList, shift: number): void {
    for (let place = shift; this.#cursor.offset < this.#listEnd; ) {
      place += readNumber(this.#cursor);
      places.push(place);
    }
  }
}

/** A reusable list of places. */
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

  keep(holds: (place: number, i: number) => boolean): void {
    let keptCount = 0;
    for (let i = 0; i < this.count; i += 1) {
      const place = this.values[i] ?? 0;
      if (holds(place, i)) this.values[keptCount++] = place;
    }
    this.count = keptCount;
  }

  sortDistinct(): void {
    this.values.subarray(0, this.count).sort();
    let last = -1;
    this.keep((place) => {
      const isNew = place !== last;
      last = place;
      return isNew;
    });
  }
}
