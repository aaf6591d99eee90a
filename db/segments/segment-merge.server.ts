/**
 * Limits the number of segments of the search index. Segments of about the same size are merged, so that each file's keys are rewritten
 * only a few times for any number of files; numbers that no file has any more are removed. The merged segment is finished before its parts
 * are removed: a search reads the parts or the result, a number found twice counts once, and a crash leaves both for the next merge.
 */

import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { DocumentIn } from "#db/collections.ts";
import { readInPages } from "#db/core/pages.ts";
import type { ChunkDoc, SearchNumberDoc } from "#db/segments/documents.ts";
import { parseIndexedRepoId } from "#db/segments/index-owner.ts";
import type { Segment } from "#db/segments/segment-memory.server.ts";
import {
  bytesIn,
  chunkKey,
  createSegmentWriter,
  keyRange,
  listSegments,
  removeSegments,
} from "#db/segments/segments.server.ts";
import { itemAt } from "#domain/required.ts";
import { ChunkReader, ChunkWriter, PlaceList } from "#domain/search/segment.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";

/** This many segments of about one size are merged. */
export const MERGED_AT_ONCE = 8;
const FILES_MAX = 200_000;
const SWEEP_EVERY_MS = 7 * DAY_MS;
/** A number assigned this long ago has its file or will never have one; `search-index` gives up long before. */
const SETTLED_AFTER_MS = HOUR_MS;
const NUMBERS_AT_ONCE = 2_000;
const CHUNKS_AT_ONCE = 2;
/** The share of dead numbers from which a segment is rewritten. */
const DEAD_SHARE = 0.25;

type MergeOptions = {
  now: Date;
  /** Segments of more files are left to another process. */
  filesMax?: number;
  signal?: AbortSignal;
};

/** Owners whose segments this process is merging. */
const activeOwners = new WeakMap<object, Set<string>>();

/**
 * Merges an owner's segments while there are enough of one size. Returns by how many their number decreased. If many saves
 * request it at once, only one does it, because two would write the same segments twice.
 */
export async function mergeSegments(db: Db, ownerId: string, options: MergeOptions): Promise<number> {
  const owners = activeOwners.get(db.search_segments) ?? new Set();
  activeOwners.set(db.search_segments, owners);
  if (owners.has(ownerId)) return 0;
  owners.add(ownerId);
  try {
    return await mergeAll(db, ownerId, options);
  } finally {
    owners.delete(ownerId);
  }
}

async function mergeAll(db: Db, ownerId: string, options: MergeOptions): Promise<number> {
  const { now, filesMax = FILES_MAX, signal } = options;
  let merged = 0;
  for (;;) {
    const segments = (await listSegments(db, ownerId)).filter(({ files }) => files <= filesMax);
    const parts = chooseParts(segments);
    if (parts.length === 0 || signal?.aborted) return merged;
    if (!(await rewriteSegments(db, ownerId, parts, await findDeadNumbers(db, ownerId, parts, now))))
      return merged;
    merged += parts.length - 1;
  }
}

/** Groups segments whose sizes have the same power of eight. */
function chooseParts(segments: readonly Segment[]): Segment[] {
  const sizes = Map.groupBy(segments, ({ files }) => Math.floor(Math.log2(Math.max(files, 1)) / 3));
  const full = [...sizes].sort(([a], [b]) => a - b).find(([, group]) => group.length >= MERGED_AT_ONCE);
  const parts = full?.[1].toSorted((a, b) => a.files - b.files).slice(0, MERGED_AT_ONCE * 2) ?? [];
  return parts.reduce((sum, { files }) => sum + files, 0) <= FILES_MAX ? parts : [];
}

/** Once a week, rewrites segments with many numbers that no file has any more. */
export async function rewriteSparseSegments(
  db: Db,
  ownerId: string,
  { now, signal }: MergeOptions,
): Promise<void> {
  const owner = await db.search_numbers.findOne({ _id: ownerId });
  if (!owner || now.getTime() - (owner.swept_at?.getTime() ?? 0) < SWEEP_EVERY_MS) return;
  await removeUnfinishedChunks(db, ownerId, now);
  for (const segment of await listSegments(db, ownerId)) {
    if (signal?.aborted) return;
    const dead = await findDeadNumbers(db, ownerId, [segment], now);
    if (dead.count > segment.files * DEAD_SHARE) await rewriteSegments(db, ownerId, [segment], dead);
  }
  await db.search_numbers.updateOne({ _id: ownerId }, { $set: { swept_at: now } });
}

/** Yields owners with segments that may be merged or swept. */
export async function* listIndexOwners(db: Db): AsyncGenerator<string> {
  const owners = readInPages<SearchNumberDoc, Pick<SearchNumberDoc, "_id">>(db.search_numbers, {
    filter: { format: { $gt: 0 } },
    order: { _id: 1 },
    projection: { _id: 1 },
    pageSize: NUMBERS_AT_ONCE,
  });
  for await (const { _id } of owners) yield _id;
}

/** Removes chunks of segments that were never finished because a process ended. */
async function removeUnfinishedChunks(db: Db, ownerId: string, now: Date): Promise<void> {
  const finished = new Set((await listSegments(db, ownerId)).map(({ name }) => name));
  const chunks = readInPages<ChunkDoc, Pick<ChunkDoc, "_id">>(db.search_chunks, {
    filter: keyRange(ownerId),
    order: { _id: 1 },
    projection: { _id: 1 },
    pageSize: NUMBERS_AT_ONCE,
  });
  const names = new Set<string>();
  for await (const { _id } of chunks) names.add(_id.slice(0, _id.lastIndexOf(":")));
  const isOld = (name: string) =>
    now.getTime() - new ObjectId(name.slice(name.lastIndexOf(":") + 1)).getTimestamp().getTime() > DAY_MS;
  await removeSegments(
    db,
    [...names].filter((name) => !finished.has(name) && isOld(name)).map((name) => ({ name, chunk: null })),
  );
}

type DeadNumbers = { has(n: number): boolean; count: number };

/** Finds the numbers of these segments that no file has now or will ever have, because numbers are not reused. */
async function findDeadNumbers(
  db: Db,
  ownerId: string,
  segments: readonly Segment[],
  now: Date,
): Promise<DeadNumbers> {
  const settled = await advanceSettledNumber(db, ownerId, now);
  const from = Math.min(...segments.map(({ first }) => first));
  const to = Math.min(Math.max(...segments.map(({ last }) => last)), settled);
  const living = new Set<number>();
  for await (const n of readLivingNumbers(db, ownerId, from, to)) living.add(n);
  const settledFiles = segments.reduce(
    (sum, { first, last, files }) =>
      sum + (last <= to ? files : Math.max(0, Math.min(files, to - first + 1))),
    0,
  );
  return { has: (n) => n <= to && !living.has(n), count: Math.max(0, settledFiles - living.size) };
}

/** Returns the highest settled number. The next ones are settled after their time. */
async function advanceSettledNumber(db: Db, ownerId: string, now: Date): Promise<number> {
  const owner = await db.search_numbers.findOne({ _id: ownerId });
  if (!owner) return 0;
  const { last, settling, settled = 0 } = owner;
  if (settling && now.getTime() - settling.at.getTime() < SETTLED_AFTER_MS) return settled;
  const changes = { settled: settling?.last ?? 0, settling: { last, at: now } };
  await db.search_numbers.updateOne({ _id: ownerId }, { $set: changes });
  return changes.settled;
}

/** Yields the numbers that files of a library or a mirror have now. */
async function* readLivingNumbers(db: Db, ownerId: string, from: number, to: number): AsyncGenerator<number> {
  if (from > to) return;
  const inRange = { n: { $gte: from, $lte: to } };
  const repoId = parseIndexedRepoId(ownerId);
  const walk = { order: { n: 1 }, projection: { _id: 0 }, pageSize: NUMBERS_AT_ONCE } as const;
  const files = repoId
    ? readInPages<DocumentIn<"repo_files">, { n: number }>(db.repo_files, {
        filter: { repo_id: repoId, ...inRange },
        ...walk,
      })
    : readInPages<DocumentIn<"files">, { n: number }>(db.files, {
        filter: { user_id: ownerId, ...inRange },
        ...walk,
      });
  for await (const { n } of files) yield n;
}

/** Writes the parts as one segment. False if a part is missing, because another process has merged it. */
async function rewriteSegments(
  db: Db,
  ownerId: string,
  parts: readonly Segment[],
  dead: DeadNumbers,
): Promise<boolean> {
  const target = createSegmentWriter(db, ownerId);
  try {
    await writeMerged(db, target, parts, dead);
  } catch (error) {
    if (!(error instanceof SegmentGone)) throw error;
    await removeSegments(db, [{ name: target.name, chunk: null }]);
    return false;
  }
  await removeSegments(db, parts);
  return true;
}

class SegmentGone extends Error {}

async function writeMerged(
  db: Db,
  target: ReturnType<typeof createSegmentWriter>,
  parts: readonly Segment[],
  dead: DeadNumbers,
): Promise<void> {
  const sortedParts = parts.toSorted((a, b) => a.first - b.first);
  const first = itemAt(sortedParts, 0).first;
  const readers = sortedParts.map((part) => new PartReader(db, part, first));
  const chunks = new ChunkWriter();
  const places = new PlaceList();
  for (const reader of readers) await reader.loadChunks();
  for (;;) {
    const key = findLowestKey(readers);
    if (key === Number.POSITIVE_INFINITY) break;
    unitePlaces(readers, key, places);
    if (dead.count > 0) places.keep((n) => !dead.has(first + n));
    const full = places.count > 0 ? chunks.add(key, places.values, places.count) : null;
    if (full) await target.add(full);
    for (const reader of readers) if (reader.key === key && !reader.advance()) await reader.loadChunks();
  }
  const lastChunk = chunks.finish();
  if (lastChunk) await target.add(lastChunk);
  const files = Math.max(1, parts.reduce((sum, part) => sum + part.files, 0) - dead.count);
  const last = Math.max(...parts.map((part) => part.last));
  if (target.hasChunks()) await target.finish({ first, last, files });
}

/** Allocates nothing, because it runs for every key of every part. */
function findLowestKey(readers: readonly PartReader[]): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const reader of readers) if (reader.key < lowest) lowest = reader.key;
  return lowest;
}

/** Unites the places of several parts in order, each once. Mostly the places of one part follow those of the one before. */
function unitePlaces(readers: readonly PartReader[], key: number, places: PlaceList): void {
  places.count = 0;
  let isInOrder = true;
  for (const reader of readers) {
    if (reader.key !== key) continue;
    const { count, values } = places;
    reader.addPlaces(places);
    if (count > 0 && (values[count - 1] ?? 0) >= (places.values[count] ?? 0)) isInOrder = false;
  }
  if (!isInOrder) places.sortDistinct();
}

class PartReader {
  key = Number.POSITIVE_INFINITY;
  #next = 0;
  #chunks: ChunkReader[] = [];
  readonly #db: Db;
  readonly #part: Segment;
  /** Places are counted from the first number of the new segment. */
  readonly #shift: number;

  constructor(db: Db, part: Segment, first: number) {
    this.#db = db;
    this.#part = part;
    this.#shift = part.first - first;
  }

  /** Returns false if the next chunks have to be loaded. */
  advance(): boolean {
    for (;;) {
      const chunk = this.#chunks[0];
      if (!chunk) return false;
      if (chunk.next()) {
        this.key = chunk.key;
        return true;
      }
      this.#chunks.shift();
    }
  }

  addPlaces(places: PlaceList): void {
    this.#chunks[0]?.addPlaces(places, this.#shift);
  }

  async loadChunks(): Promise<void> {
    const { name, starts, chunk } = this.#part;
    if (this.#next >= starts.length) {
      this.key = Number.POSITIVE_INFINITY;
      return;
    }
    const ids = Array.from({ length: Math.min(CHUNKS_AT_ONCE, starts.length - this.#next) }, (_, i) =>
      chunkKey(name, this.#next + i),
    );
    this.#next += ids.length;
    const docs = chunk
      ? []
      : await this.#db.search_chunks
          .find({ _id: { $in: ids } })
          .sort({ _id: 1 })
          .toArray();
    if (!chunk && docs.length < ids.length) throw new SegmentGone();
    const datas = chunk ? [chunk] : docs.map(({ data }) => bytesIn(data));
    this.#chunks = datas.map((data) => new ChunkReader(data));
    this.advance();
  }
}
