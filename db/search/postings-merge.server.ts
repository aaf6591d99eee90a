/**
 * Keeps the search index small. Savings leave one small document for each gram; a pass over an owner's documents puts those
 * of one gram and segment together and leaves out numbers that no file has any more.
 *
 * The merged document is written first, under a name that sorts after its parts, then the parts go: a search that reads on
 * meanwhile meets the parts or what came of them, a number it meets twice counts once, and a crash leaves both, for the next pass.
 */

import { Binary } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { readInPages } from "#db/pages.ts";
import type { RepoFileDoc } from "#db/repos/documents.ts";
import { indexedRepo } from "#db/repos/repo-contents.server.ts";
import type { PostingDoc, SearchNumberDoc } from "#db/search/documents.ts";
import { encodePlaces, parseSegment, placesIn, SEGMENT_SIZE } from "#db/search/postings.server.ts";
import { itemAt, lastItem } from "#domain/required.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

/** Documents of one gram and segment that are worth putting together. */
const PARTS_MIN = 4;
/** One part in so many that names nothing any more is worth leaving out. */
const DEAD_SHARE = 4;
/** Numbers given out since the last pass that make the next one worthwhile. */
const NUMBERS_MIN = 64;
const PASS_EVERY_MS = 7 * DAY_MS;
/** A number given out this long ago has its file or will never have it; `search-index` gives up long before. */
const SETTLED_AFTER_MS = HOUR_MS;
const READ_AT_ONCE = 2_000;
/** Few enough that nobody waits long behind them. */
const DELETE_AT_ONCE = 200;
export const READ_MAX = 100_000;

export type Merged = { read: number; written: number; removed: number; finished: boolean };
export type MergeOptions = { now: Date; readMax?: number; signal?: AbortSignal };

/** Owners whose documents are due for a pass or in the middle of one. */
export async function listOwnersToMerge(db: Db, now: Date): Promise<string[]> {
  const owners = await db.search_numbers.find().sort({ _id: 1 }).toArray();
  return owners.filter((owner) => isDue(owner, now)).map(({ _id }) => _id);
}

function isDue({ last, merge }: SearchNumberDoc, now: Date): boolean {
  if (!merge) return last >= NUMBERS_MIN;
  if (merge.after !== null) return true;
  return (
    last - merge.last >= NUMBERS_MIN ||
    (last > 0 && now.getTime() - merge.finished_at.getTime() >= PASS_EVERY_MS)
  );
}

/** Goes on with an owner's pass where it stopped, for `readMax` documents at most. */
export async function mergePostings(db: Db, ownerId: string, options: MergeOptions): Promise<Merged> {
  const { now, readMax = READ_MAX, signal } = options;
  const owner = await db.search_numbers.findOne({ _id: ownerId });
  if (!owner) return { read: 0, written: 0, removed: 0, finished: true };
  const isDead = await deadNumbers(db, await settle(db, owner, now));
  const merged: Merged = { read: 0, written: 0, removed: 0, finished: false };
  let after = owner.merge?.after ?? `${ownerId}:`;
  while (!merged.finished && merged.read < readMax && !signal?.aborted) {
    const docs = await readOn(db, ownerId, after);
    const groups = wholeGroups(docs);
    const rewrites = groups.flatMap((parts) => planRewrite(parts, isDead));
    await rewrite(db, rewrites);
    merged.read += docs.length;
    merged.written += rewrites.filter(({ doc }) => doc).length;
    merged.removed += rewrites.reduce((sum, { parts }) => sum + parts.length, 0);
    merged.finished = docs.length < READ_AT_ONCE;
    after = groups.at(-1)?.at(-1)?._id ?? after;
  }
  const place = merged.finished ? null : after;
  const last = owner.merge?.after ? owner.merge.last : owner.last;
  await db.search_numbers.updateOne(
    { _id: ownerId },
    { $set: { merge: { after: place, last, finished_at: now } } },
  );
  return merged;
}

/** The highest number that is settled by now. The next ones are looked at again when they had their time. */
async function settle(db: Db, owner: SearchNumberDoc, now: Date): Promise<SearchNumberDoc> {
  const { _id, last, settling } = owner;
  if (settling && now.getTime() - settling.at.getTime() < SETTLED_AFTER_MS) return owner;
  const changes = { settled: settling?.last ?? 0, settling: { last, at: now } };
  await db.search_numbers.updateOne({ _id }, { $set: changes });
  return { ...owner, ...changes };
}

/** Told after `settle`: a settled number that no file has now has none ever after, because numbers are not used again. */
async function deadNumbers(db: Db, { _id, settled = 0 }: SearchNumberDoc): Promise<(n: number) => boolean> {
  const alive = new Uint8Array(settled + 1);
  for await (const n of livingNumbers(db, _id, settled)) alive[n] = 1;
  return (n) => n <= settled && alive[n] === 0;
}

/** The numbers that files of a library, or of a mirror, have now. */
async function* livingNumbers(db: Db, ownerId: string, upTo: number): AsyncGenerator<number> {
  const numbered = { n: { $gte: 0, $lte: upTo } };
  const repoId = indexedRepo(ownerId);
  const walk = { order: { n: 1 }, projection: { _id: 0 }, pageSize: READ_AT_ONCE } as const;
  const files = repoId
    ? readInPages<RepoFileDoc, { n: number }>(db.repo_files, {
        filter: { repo_id: repoId, ...numbered },
        ...walk,
      })
    : readInPages<FileDoc, { n: number }>(db.files, { filter: { user_id: ownerId, ...numbered }, ...walk });
  for await (const { n } of files) yield n;
}

function readOn(db: Db, ownerId: string, after: string): Promise<PostingDoc[]> {
  return db.postings
    .find({ _id: { $gt: after, $lt: `${ownerId};` } })
    .sort({ _id: 1 })
    .limit(READ_AT_ONCE)
    .toArray();
}

const groupKey = ({ _id }: PostingDoc) => _id.slice(0, _id.lastIndexOf("."));

/** Documents of one gram and segment stand together. The last group may go on beyond what was read: it waits, unless it is all there is. */
function wholeGroups(docs: PostingDoc[]): PostingDoc[][] {
  const groups = [...Map.groupBy(docs, groupKey).values()];
  return docs.length === READ_AT_ONCE && groups.length > 1 ? groups.slice(0, -1) : groups;
}

type Rewrite = { parts: PostingDoc[]; doc: PostingDoc | null };

function planRewrite(parts: PostingDoc[], isDead: (n: number) => boolean): Rewrite[] {
  const base = parseSegment(itemAt(parts, 0)) * SEGMENT_SIZE;
  const places = [...new Set(parts.flatMap(placesIn))].sort((a, b) => a - b);
  const living = places.filter((place) => !isDead(base + place));
  const dead = places.length - living.length;
  if (parts.length < PARTS_MIN && (dead === 0 || dead * DEAD_SHARE < places.length)) return [];
  const p = new Binary(encodePlaces(living));
  return [{ parts, doc: living.length > 0 ? { _id: nameAfter(parts), p } : null }];
}

/** Names of savings are made of letters, digits, `-` and `_`, which all sort before `~`. */
function nameAfter(parts: PostingDoc[]): string {
  const key = groupKey(itemAt(parts, 0));
  const lastBatch = lastItem(parts)._id.slice(key.length + 1);
  const round = lastBatch.startsWith("~") ? Number(lastBatch.slice(1, 10)) + 1 : 1;
  return `${key}.~${String(round).padStart(9, "0")}${newToken(6)}`;
}

async function rewrite(db: Db, rewrites: Rewrite[]): Promise<void> {
  const docs = rewrites.flatMap(({ doc }) => (doc ? [doc] : []));
  if (docs.length > 0) await db.postings.insertMany(docs, { ordered: false });
  const parts = rewrites.flatMap(({ parts }) => parts.map(({ _id }) => _id));
  for (let at = 0; at < parts.length; at += DELETE_AT_ONCE)
    await db.postings.deleteMany({ _id: { $in: parts.slice(at, at + DELETE_AT_ONCE) } });
}
