/**
 * The search index: segments that say which files may match. A number names one indexed state of one file and is never reused;
 * it no longer resolves when its file has another number. The index may name too many files, but never too few. A segment is
 * written once: its chunks come first and its record last, and the record is removed first. So an existing record has its
 * chunks, unless the segment was merged in between; then the lookup is repeated.
 */

import { Binary, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import type { ChunkDoc, SegmentDoc } from "#db/segments/documents.ts";
import { type Segment, SegmentMemory } from "#db/segments/segment-memory.server.ts";
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

const INDEX_FORMAT = 2;
/** A file with more different character sequences costs more to index than to read. */
export const FILE_KEYS_MAX = 60_000;
/** The limit of keys of all files in a new segment; more are sorted in several passes. */
const SEGMENT_KEYS = 100_000;

/** Takes `count` new numbers and returns the first of them. */
export async function allocateNumbers(db: Db, ownerId: string, count: number): Promise<number> {
  const incrementCounter = () =>
    db.search_numbers.findOneAndUpdate(
      { _id: ownerId },
      { $inc: { last: count }, $setOnInsert: { format: INDEX_FORMAT } },
      { upsert: true, returnDocument: "after" },
    );
  // If two first saves collide, one creates the counter and the other finds it.
  const doc = (await skipDuplicate(incrementCounter())) ?? (await incrementCounter());
  return required(doc, "counter after an upsert").last - count + 1;
}

/** Returns the last number, which changes with every indexed file. */
export async function findLastNumber(db: Db, ownerId: string): Promise<number> {
  return (await db.search_numbers.findOne({ _id: ownerId }))?.last ?? 0;
}

/** Filters everything of an owner in the segments, or of a segment in the chunks. */
export const keyRange = (prefix: string) => ({ _id: { $gte: `${prefix}:`, $lt: `${prefix};` } });

type NumberedKeys = { n: number; keys: Uint32Array };

/** The files are sorted by their numbers. */
export async function createSegments(db: Db, ownerId: string, files: readonly NumberedKeys[]): Promise<void> {
  for (const portion of splitPortions(files)) {
    const [first, last] = [itemAt(portion, 0).n, lastItem(portion).n];
    const filesByPlace = portion.map(({ n, keys }) => ({ place: n - first, keys }));
    const chunks = [...encodeChunks(invertFiles(filesByPlace))];
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

/** Names are sorted by their time of creation. */
const nameSegment = (ownerId: string) => `${ownerId}:${new ObjectId().toHexString()}`;

async function writeSegment(
  db: Db,
  ownerId: string,
  extent: Extent,
  chunks: readonly Chunk[],
): Promise<void> {
  const writer = createSegmentWriter(db, ownerId);
  for (const chunk of chunks) await writer.add(chunk);
  await writer.finish(extent);
}

/** Writes a segment chunk by chunk. It exists after it is finished; a single chunk is stored in its record. */
export function createSegmentWriter(db: Db, ownerId: string) {
  const name = nameSegment(ownerId);
  const starts: number[] = [];
  let lastChunk: Chunk | null = null;
  const write = ({ data }: Chunk, place: number) =>
    db.search_chunks.insertOne({ _id: chunkKey(name, place), data: new Binary(data) });
  return {
    name,
    hasChunks: () => starts.length > 0,
    async add(chunk: Chunk): Promise<void> {
      if (lastChunk) await write(lastChunk, starts.length - 1);
      lastChunk = chunk;
      starts.push(chunk.firstKey);
    },
    async finish(extent: Extent): Promise<void> {
      const record = { _id: name, ...extent, starts: encodeStarts(starts) };
      if (lastChunk && starts.length > 1) await write(lastChunk, starts.length - 1);
      const chunk = lastChunk && starts.length === 1 ? { chunk: new Binary(lastChunk.data) } : {};
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

/** Returns the cache of this process for the index. Segments never change, so it is correct as long as they exist. */
function getSegmentMemory(db: Db): SegmentMemory {
  const memory = memories.get(db.search_chunks) ?? new SegmentMemory();
  memories.set(db.search_chunks, memory);
  return memory;
}

export async function listSegments(db: Db, ownerId: string): Promise<Segment[]> {
  const memory = getSegmentMemory(db);
  const docs = await db.search_segments
    .find(keyRange(ownerId))
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  const cached = docs.map(({ _id }) => memory.getSegment(_id));
  const missingNames = docs.filter((_, i) => !cached[i]).map(({ _id }) => _id);
  const missingDocs =
    missingNames.length === 0 ? [] : await db.search_segments.find({ _id: { $in: missingNames } }).toArray();
  const newSegments = missingDocs.map(toSegment);
  for (const segment of newSegments) memory.setSegment(segment);
  return [...cached.filter((segment) => segment !== undefined), ...newSegments];
}

/** The numbers that have every one of the keys in the index. */
export type Candidates = {
  has(n: number): boolean;
  count: number;
  /** The highest number in the index. */
  known: number;
  /** In order. */
  numbers(): number[];
};

const TRIES = 5;

/** Finds for each list of keys the numbers that have all of them. */
export async function findCandidates(
  db: Db,
  ownerId: string,
  questions: readonly (readonly number[])[],
): Promise<Candidates[]> {
  for (let attempt = 1; ; attempt += 1) {
    const segments = await listSegments(db, ownerId);
    const chunks = await readChunks(db, segments, questions.flat());
    if (chunks) return questions.map((keys) => toCandidates(segments, chunks, keys));
    if (attempt === TRIES) throw new Error("The search index changed faster than it could be read");
  }
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

/** Unites sorted numbers, each once: during a merge, a number may be in two segments. */
function uniteNumbers(lists: readonly number[][]): number[] {
  const [shortest = [], ...longer] = lists.toSorted((a, b) => a.length - b.length);
  return longer.reduce(uniteSorted, shortest);
}

/** Both lists are sorted. */
function uniteSorted(a: readonly number[], b: number[]): number[] {
  if (a.length === 0) return b;
  const united: number[] = [];
  for (let i = 0, k = 0; i < a.length || k < b.length; ) {
    const [x = Number.POSITIVE_INFINITY, y = Number.POSITIVE_INFINITY] = [a[i], b[k]];
    united.push(Math.min(x, y));
    if (x <= y) i += 1;
    if (y <= x) k += 1;
  }
  return united;
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

/** Reads the chunks of the keys; null if a segment was removed in between. */
async function readChunks(
  db: Db,
  segments: readonly Segment[],
  keys: readonly number[],
): Promise<Map<string, Uint8Array> | null> {
  const memory = getSegmentMemory(db);
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
    const data = memory.getChunk(id);
    if (data) chunks.set(id, data);
  }
  const unread = [...ids].filter((id) => !chunks.has(id));
  const docs: ChunkDoc[] =
    unread.length === 0 ? [] : await db.search_chunks.find({ _id: { $in: unread } }).toArray();
  for (const { _id, data } of docs) {
    chunks.set(_id, bytesIn(data));
    memory.setChunk(_id, bytesIn(data));
  }
  return chunks.size === ids.size ? chunks : null;
}
