/**
 * Finds files by a part of their name, description, tags or text. The index names the files that may match; these are read in
 * the order of the list until a page is full. A cursor is a position in that order, so files that are added in between make no
 * hit appear twice or disappear.
 */

import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { findBodies } from "#db/files/file-versions.server.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import {
  type Cursors,
  chooseListIndex,
  compareListPositions,
  parseSpan,
  type Span,
  toCursors,
  toFilter,
  toListPosition,
  toOrder,
  toPastFilter,
  toSort,
} from "#db/files/listing/file-filters.server.ts";
import {
  areCandidatesFew,
  findNeedleCandidates,
  type Possible,
  readUntilFull,
  toNumberFilters,
} from "#db/search/index-search.server.ts";
import { listSearchableTexts } from "#db/search/search-index.server.ts";
import type { Candidates } from "#db/segments/segments.server.ts";
import type { FileQuery } from "#domain/files/file-query.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { lastItem } from "#domain/required.ts";
import { contains, type MatchingLine, matchingLine } from "#domain/search/matching-line.ts";
import { foldCase } from "#domain/text/folded.ts";

/** `line` is the first line of the text that matches; null if only the name, the description or a tag does. */
type Hit = { file: FileRecord; line: MatchingLine | null };
/** A page with fewer hits than requested can still have a next page, because one page reads a limited number of files. */
type SearchPage = { hits: Hit[] } & Cursors;

const WALK_AT_ONCE = 200;
/** Reads this many times the expected number of files, because hits are not spread evenly. */
const SPARE = 1.5;
/** One page reads at most this many files; the next page continues after them. */
const MAX_READ = 3_000;
/** Up to this many possible hits are counted one by one. */
const COUNTED_MAX = 500;

type Query = FileQuery & { q: string };

export async function searchFiles(db: Db, ownerId: string, query: Query): Promise<SearchPage | Refusal> {
  const span = parseSpan(query);
  if (isRefusal(span)) return span;
  const needle = foldCase(query.q);
  const index = await queryIndex(db, ownerId, query, needle);
  const possible =
    index.candidates && areCandidatesFew(index.candidates, query.limit)
      ? await possibleFiles(db, ownerId, query, span, index)
      : walkPossibleFiles(db, ownerId, query, span, index);
  const page = await findHits(db, ownerId, possible, needle, query.limit);
  db.emit("business_metric", { metric: "search", value: page.hits.length });
  const hits = span.backwards ? page.hits.toReversed() : page.hits;
  const toPosition = (doc: FileDoc | undefined) => doc && toListPosition(doc, span.order);
  const [first, last] = span.backwards ? [page.stoppedAt, page.first] : [page.first, page.stoppedAt];
  return {
    hits: hits.map(({ doc, line }) => ({ file: toFile(doc), line })),
    ...toCursors(span, toPosition(first), toPosition(last), page.more),
  };
}

/** The files that are not indexed yet, and the files that may match by the index; null if the index cannot tell. */
type IndexAnswer = { unindexed: FileDoc[]; candidates: Candidates | null };

/** Reads unindexed files first: a file that is indexed in between is then in both answers. In the other order it could be in neither. */
async function queryIndex(db: Db, ownerId: string, query: Query, needle: string): Promise<IndexAnswer> {
  const marked = { ...toFilter(ownerId, query), user_id: ownerId, unindexed: { $gt: "" } };
  const unindexed = await db.files.find(marked, { hint: "unindexed" }).toArray();
  return { unindexed, candidates: await findNeedleCandidates(db, ownerId, needle) };
}

/** Returns all files that may match, in order, from the cursor on. */
async function possibleFiles(
  db: Db,
  ownerId: string,
  query: Query,
  { order, from }: Span,
  { unindexed, candidates }: IndexAnswer,
): Promise<FileDoc[]> {
  const filter = toFilter(ownerId, query);
  const numbered = (candidates ? toNumberFilters(candidates) : []).map((numbers) =>
    db.files.find({ ...filter, ...numbers }, { hint: "by_number" }).toArray(),
  );
  const docs = [...unindexed, ...(await Promise.all(numbered)).flat()];
  const unique = [...new Map(docs.map((doc) => [doc._id.toHexString(), doc])).values()];
  return unique
    .filter((doc) => !from || compareListPositions(toListPosition(doc, order), from, order) > 0)
    .sort((a, b) => compareListPositions(toListPosition(a, order), toListPosition(b, order), order));
}

async function* walkPossibleFiles(
  db: Db,
  ownerId: string,
  query: Query,
  { order, from }: Span,
  { unindexed, candidates }: IndexAnswer,
): AsyncGenerator<FileDoc> {
  const markedIds = new Set(unindexed.map(({ _id }) => _id.toHexString()));
  const mayHave = ({ _id, n, unindexed }: FileDoc) =>
    unindexed || markedIds.has(_id.toHexString()) || !candidates || candidates.has(n ?? 0);
  const filter = toFilter(ownerId, query);
  const hint = chooseListIndex(query);
  let pageSize = estimateFirstPageSize(candidates, query.limit);
  for (let position = from; ; ) {
    const docs = await db.files
      .find(toPastFilter(filter, order, position), { hint })
      .sort(toSort(order))
      .limit(pageSize)
      .toArray();
    yield* docs.filter(mayHave);
    if (docs.length < pageSize) return;
    position = toListPosition(lastItem(docs), order);
    pageSize = WALK_AT_ONCE;
  }
}

/** Estimates how many files contain a page of hits; few for a common word. */
function estimateFirstPageSize(candidates: Candidates | null, limit: number): number {
  if (!candidates) return WALK_AT_ONCE;
  const filesToAHit = Math.max(candidates.known / Math.max(candidates.count, 1), 1);
  return Math.min(Math.ceil(SPARE * filesToAHit * (limit + 1)), WALK_AT_ONCE);
}

type FileHit = { doc: FileDoc; line: MatchingLine | null };
type LookResult = {
  hits: FileHit[];
  more: boolean;
  first: FileDoc | undefined;
  stoppedAt: FileDoc | undefined;
};

async function findHits(
  db: Db,
  ownerId: string,
  possible: Possible<FileDoc>,
  needle: string,
  limit: number,
): Promise<LookResult> {
  const { hits, more, stoppedAt } = await readUntilFull(possible, {
    limit,
    maxRead: MAX_READ,
    countBytes: (doc) => doc.size_bytes,
    verify: (docs) => verifyFiles(db, ownerId, docs, needle),
  });
  return { hits, more, first: hits[0]?.doc, stoppedAt: stoppedAt ?? hits.at(-1)?.doc };
}

async function verifyFiles(db: Db, ownerId: string, docs: FileDoc[], needle: string): Promise<FileHit[]> {
  const bodies = await findBodies(db, ownerId, docs);
  return docs.flatMap((doc, i) => {
    const body = bodies[i] ?? null;
    const line = body === null ? null : matchingLine(body, needle);
    const isMatch = line !== null || listSearchableTexts(doc).some((text) => contains(text, needle));
    return isMatch ? [{ doc, line }] : [];
  });
}

type HitCount = { total: number; exact: boolean };

/** Counts the matching files. If too many might match to read them all, returns an upper bound marked as not exact. */
export async function countHits(db: Db, ownerId: string, query: Query): Promise<HitCount> {
  const needle = foldCase(query.q);
  const index = await queryIndex(db, ownerId, query, needle);
  const { unindexed, candidates } = index;
  const atMost = await countFiles(db, ownerId, query);
  const possible = Math.min(atMost, candidates ? candidates.count + unindexed.length : atMost);
  if (possible > COUNTED_MAX) return { total: possible, exact: false };
  const span: Span = { order: toOrder(query), from: null, backwards: false };
  const docs =
    candidates && candidates.count <= COUNTED_MAX
      ? await possibleFiles(db, ownerId, query, span, index)
      : walkPossibleFiles(db, ownerId, { ...query, limit: WALK_AT_ONCE }, span, index);
  const { hits, more } = await findHits(db, ownerId, docs, needle, Number.POSITIVE_INFINITY);
  return { total: hits.length, exact: !more };
}
