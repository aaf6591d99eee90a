/**
 * The search index: segments that say which files may have what is looked for. A number names one indexed state of one file and is never
 * used again; what a number stood for stops resolving once its file has another. The index may name too much, never too little.
 *
 * A segment is written once. Its chunks come first and its record last; where it goes, its record goes first. So a record that is found has
 * its chunks, unless the segment was merged into another meanwhile: then the lookup is repeated.
 */

import { Binary, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import type { ChunkDoc, SegmentDoc } from "#db/search/documents.ts";
import { type Segment, SegmentMemory } from "#db/search/segment-memory.server.ts";
import { itemAt, lastItem, required } from "#domain/required.ts";
import {
  type Chunk,
  encodeChunks,
  findLast,
  findPlaces,
  invertFiles,
  type PlacesOfKey,
  readCommonPlaces,
} from "#domain/search/segment.ts";

/** The form that is written now. */
export const INDEX_FORMAT = 2;
/** Keys of all files in one new segment: more are sorted in several turns. */
const SEGMENT_KEYS = 100_000;

/** Takes `count` fresh numbers and answers the first of them. */
export async function takeNumbers(db: Db, ownerId: string, count: number): Promise<number> {
  const take = () =>
    db.search_numbers.findOneAndUpdate(
      { _id: ownerId },
      { $inc: { last: count }, $setOnInsert: { format: INDEX_FORMAT } },
      { upsert: true, returnDocument: "after" },
    );
  // Of two first savings at once, one makes the counter and the other finds it.
  const taken = await take().catch((error) => (isDuplicateKey(error) ? take() : Promise.reject(error)));
  return required(taken, "counter after an upsert").last - count + 1;
}

/** Changes with every file that is indexed. */
export async function findLastNumber(db: Db, ownerId: string): Promise<number> {
  return (await db.search_numbers.findOne({ _id: ownerId }))?.last ?? 0;
}

/** Everything of an owner in the segments, or of a segment in the chunks. */
export const keyRange = (prefix: string) => ({ _id: { $gte: `${prefix}:`, $lt: `${prefix};` } });

type NumberedKeys = { n: number; keys: Uint32Array };

/** Files are given in the order of their numbers. */
export async function createSegments(db: Db, ownerId: string, files: readonly NumberedKeys[]): Promise<void> {
  for (const portion of splitPortions(files)) {
    const [first, last] = [itemAt(portion, 0).n, lastItem(portion).n];
    const placed = portion.map(({ n, keys }) => ({ place: n - first, keys }));
    const chunks = [...encodeChunks(invertFiles(placed))];
    await writeSegment(db, ownerId, { first, last, files: portion.length }, chunks);
  }
}

function splitPortions(files: readonly NumberedKeys[]): NumberedKeys[][] {
  const portions: NumberedKeys[][] = [];
  let count = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (count + file.keys.length > SEGMENT_KEYS) {
      portions.push([]);
      count = 0;
    }
    portions.at(-1)?.push(file);
    count += file.keys.length;
  }
  return portions;
}

type Extent = Pick<SegmentDoc, "first" | "last" | "files">;

/** Names sort by the time they were made at. */
const nameSegment = (ownerId: string) => `${ownerId}:${new ObjectId().toHexString()}`;

async function writeSegment(
  db: Db,
  ownerId: string,
  extent: Extent,
  chunks: readonly Chunk[],
): Promise<void> {
  const writer = openSegment(db, ownerId);
  for (const chunk of chunks) await writer.add(chunk);
  await writer.finish(extent);
}

/** Writes a segment chunk by chunk. It is there once it is finished; where it has one chunk, that stands in its record. */
export function openSegment(db: Db, ownerId: string) {
  const name = nameSegment(ownerId);
  const starts: number[] = [];
  let held: Chunk | null = null;
  const write = ({ data }: Chunk, place: number) =>
    db.search_chunks.insertOne({ _id: chunkKey(name, place), data: new Binary(data) });
  return {
    name,
    hasChunks: () => starts.length > 0,
    async add(chunk: Chunk): Promise<void> {
      if (held) await write(held, starts.length - 1);
      held = chunk;
      starts.push(chunk.firstKey);
    },
    async finish(extent: Extent): Promise<void> {
      const record = { _id: name, ...extent, starts: encodeStarts(starts) };
      if (held && starts.length > 1) await write(held, starts.length - 1);
      const chunk = held && starts.length === 1 ? { chunk: new Binary(held.data) } : {};
      await db.search_segments.insertOne({ ...record, ...chunk });
    },
  };
}

export async function removeSegments(
  db: Db,
  segments: readonly Pick<Segment, "name" | "chunk">[],
): Promise<void> {
  await db.search_segments.deleteMany({ _id: { $in: segments.map(({ name }) => name) } });
  for (const { name, chunk } of segments) if (!chunk) await db.search_chunks.deleteMany(keyRange(name));
}

export const chunkKey = (segment: string, place: number) => `${segment}:${String(place).padStart(6, "0")}`;

function encodeStarts(starts: readonly number[]): Binary {
  const view = new DataView(new ArrayBuffer(starts.length * 4));
  for (const [i, start] of starts.entries()) view.setUint32(i * 4, start, true);
  return new Binary(new Uint8Array(view.buffer));
}

export const bytesIn = (binary: Binary): Uint8Array => binary.buffer.subarray(0, binary.position);

function toSegment({ _id, first, last, files, starts, chunk }: SegmentDoc): Segment {
  const bytes = bytesIn(starts);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    name: _id,
    first,
    last,
    files,
    starts: Uint32Array.from({ length: bytes.byteLength >> 2 }, (_, i) => view.getUint32(i * 4, true)),
    chunk: chunk ? bytesIn(chunk) : null,
  };
}

const memories = new WeakMap<object, SegmentMemory>();

/** What this process has read of the index: segments never change, so it is true as long as they are there. */
function remember(db: Db): SegmentMemory {
  const memory = memories.get(db.search_chunks) ?? new SegmentMemory();
  memories.set(db.search_chunks, memory);
  return memory;
}

/** An owner's segments as they are now. */
export async function listSegments(db: Db, ownerId: string): Promise<Segment[]> {
  const memory = remember(db);
  const named = await db.search_segments
    .find(keyRange(ownerId))
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  const known = named.map(({ _id }) => memory.segment(_id));
  const unknown = named.filter((_, i) => !known[i]).map(({ _id }) => _id);
  const read = unknown.length === 0 ? [] : await db.search_segments.find({ _id: { $in: unknown } }).toArray();
  const fresh = read.map(toSegment);
  for (const segment of fresh) memory.keepSegment(segment);
  return [...known.filter((segment) => segment !== undefined), ...fresh];
}

/** The numbers that the index files under every one of the keys. */
export type Candidates = {
  has(n: number): boolean;
  count: number;
  /** The highest number in the index. */
  known: number;
  /** In order. */
  numbers(): number[];
};

const TRIES = 5;

/** For each list of keys the numbers that have them all; null where the owner's files are not in segments yet. */
export async function findCandidates(
  db: Db,
  ownerId: string,
  questions: readonly (readonly number[])[],
): Promise<Candidates[] | null> {
  for (let tries = 1; ; tries += 1) {
    const [isReady, segments] = await Promise.all([isInSegments(db, ownerId), listSegments(db, ownerId)]);
    if (!isReady) return null;
    const chunks = await readChunks(db, segments, questions.flat());
    if (chunks) return questions.map((keys) => toCandidates(segments, chunks, keys));
    if (tries === TRIES) throw new Error("The search index changed faster than it could be read");
  }
}

/** Once an owner's files are in segments they stay there, so this is looked up until it is so. */
async function isInSegments(db: Db, ownerId: string): Promise<boolean> {
  const memory = remember(db);
  if (memory.isReady(ownerId)) return true;
  const owner = await db.search_numbers.findOne({ _id: ownerId });
  if (!owner) return true;
  if (owner.format === INDEX_FORMAT) memory.keepReady(ownerId);
  return owner.format === INDEX_FORMAT;
}

function toCandidates(
  segments: readonly Segment[],
  chunks: ReadonlyMap<string, Uint8Array>,
  keys: readonly number[],
): Candidates {
  const lists = segments.map((segment) =>
    findInSegment(segment, chunks, keys).map((place) => segment.first + place),
  );
  const numbers = uniteNumbers(lists);
  return {
    has: (n) => numbers[findLast(numbers.length, (i) => (numbers[i] ?? 0) <= n)] === n,
    count: numbers.length,
    known: Math.max(0, ...segments.map(({ last }) => last)),
    numbers: () => numbers,
  };
}

/** In order, each once: while segments are merged, a number may stand in two of them. */
function uniteNumbers(lists: readonly number[][]): number[] {
  const [shortest = [], ...longer] = lists.toSorted((a, b) => a.length - b.length);
  return longer.reduce(unite, shortest);
}

/** Both are in order. */
function unite(a: readonly number[], b: number[]): number[] {
  if (a.length === 0) return b;
  const both: number[] = [];
  for (let i = 0, k = 0; i < a.length || k < b.length; ) {
    const [x = Number.POSITIVE_INFINITY, y = Number.POSITIVE_INFINITY] = [a[i], b[k]];
    both.push(Math.min(x, y));
    if (x <= y) i += 1;
    if (y <= x) k += 1;
  }
  return both;
}

function findInSegment(
  segment: Segment,
  chunks: ReadonlyMap<string, Uint8Array>,
  keys: readonly number[],
): number[] {
  const lists: PlacesOfKey[] = [];
  for (const key of keys) {
    const place = findChunk(segment, key);
    const data = segment.chunk ?? chunks.get(chunkKey(segment.name, place));
    const list = place < 0 || !data ? null : findPlaces(data, key);
    if (!list) return [];
    lists.push(list);
  }
  return readCommonPlaces(lists);
}

const findChunk = ({ starts }: Segment, key: number) =>
  findLast(starts.length, (i) => (starts[i] ?? 0) <= key);

/** The chunks that the keys fall into; null where a segment went meanwhile. */
async function readChunks(
  db: Db,
  segments: readonly Segment[],
  keys: readonly number[],
): Promise<Map<string, Uint8Array> | null> {
  const memory = remember(db);
  const ids = new Set<string>();
  for (const segment of segments) {
    if (segment.chunk) continue;
    for (const key of keys) {
      const place = findChunk(segment, key);
      if (place >= 0) ids.add(chunkKey(segment.name, place));
    }
  }
  const chunks = new Map<string, Uint8Array>();
  for (const id of ids) {
    const data = memory.chunk(id);
    if (data) chunks.set(id, data);
  }
  const unread = [...ids].filter((id) => !chunks.has(id));
  const docs: ChunkDoc[] =
    unread.length === 0 ? [] : await db.search_chunks.find({ _id: { $in: unread } }).toArray();
  for (const { _id, data } of docs) {
    chunks.set(_id, bytesIn(data));
    memory.keepChunk(_id, bytesIn(data));
  }
  return chunks.size === ids.size ? chunks : null;
}
