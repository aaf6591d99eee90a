/**
 * Keeps the search index true. A change to what a file is found by marks it `unindexed` in the same write, under a token of
 * that change; a marked file is looked through itself until it is in a segment. So nothing that was acknowledged is ever
 * missing from a search, whatever was interrupted.
 */

import { ObjectId } from "mongodb";
import type { Db, KnownText } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { findBodies } from "#db/files/file-versions.server.ts";
import { collectKeysApart } from "#db/search/key-work.server.ts";
import { MERGED_AT_ONCE, mergeSegments } from "#db/search/segment-merge.server.ts";
import { createSegments, takeNumbers } from "#db/search/segments.server.ts";
import type { TextsToIndex } from "#domain/search/search-keys.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { newToken } from "#platform/ids.ts";

/** A file with more different runs of characters costs more to index than to look through; it stays marked with this word. */
const WIDE = "wide";
export const FILE_KEYS_MAX = 60_000;
/** Segments of more files are merged by the worker. */
export const SMALL_FILES = 1_000;
const LEFTOVERS_AT_ONCE = 100;
const PORTION_BYTES = 4 * 1024 * 1024;
/** A number is put to use within this time or not at all, because old numbers without a file leave the index. */
const NUMBER_GOOD_FOR_MS = 10 * MINUTE_MS;

/** Goes into every write that changes a name, a description, tags or the version shown. */
export const unindexed = () => ({ unindexed: newToken(6) });

export const findByTexts = (file: Pick<FileDoc, "file_name" | "description" | "tags">) => [
  file.file_name,
  file.description,
  ...file.tags,
];

type FoundBy = Pick<FileDoc, "file_name" | "description" | "tags" | "language">;

export const textsToIndex = (
  { file_name, description, tags, language }: FoundBy,
  body: string,
): TextsToIndex => ({
  name: file_name,
  description,
  tags,
  language,
  body,
  max: FILE_KEYS_MAX,
});

/** Has changed files indexed: after the answer in a process that serves people, at once in any other. */
export async function indexChanged(db: Db, ownerId: string, fileIds: readonly string[]): Promise<void> {
  if (db.indexQueue) db.indexQueue.add(ownerId, fileIds);
  else await indexFiles(db, ownerId, fileIds);
}

/** As `indexChanged`, for a file whose text is at hand. */
export async function indexSaved(db: Db, ownerId: string, fileId: string, text: KnownText): Promise<void> {
  if (db.indexQueue) db.indexQueue.add(ownerId, [fileId], text);
  else await indexFiles(db, ownerId, [fileId], { known: new Map([[fileId, text]]) });
}

type Indexing = {
  /** Texts that need not be read, by file. */
  known?: ReadonlyMap<string, KnownText | undefined>;
  nowMs?: () => number;
};

/** Indexes marked files. What fails stays marked, is announced, and is found all the same; false where something failed. */
export async function indexFiles(
  db: Db,
  ownerId: string,
  fileIds: readonly string[],
  indexing: Indexing = {},
): Promise<boolean> {
  try {
    await indexMarked(db, ownerId, fileIds, indexing);
    return true;
  } catch (error) {
    const [id] = fileIds;
    const resource = id === undefined ? { type: "user", id: ownerId } : { type: "file", id };
    db.emit("search_index_error", { error: error instanceof Error ? error.name : typeof error, resource });
    return false;
  }
}

/** As `indexFiles`, for whoever does it again where it fails. */
export async function indexMarked(
  db: Db,
  ownerId: string,
  fileIds: readonly string[],
  { known = new Map(), nowMs = Date.now }: Indexing = {},
): Promise<void> {
  const files = await findFiles(db, ownerId, fileIds, known);
  const marked = files.filter((file) => file.unindexed && file.unindexed !== WIDE);
  let isEnough = false;
  for (const portion of splitPortions(marked))
    if (await indexPortion(db, ownerId, portion, known, nowMs)) isEnough = true;
  if (isEnough) await mergeSegments(db, ownerId, { now: new Date(), filesMax: SMALL_FILES });
}

/**
 * The files as they were saved where that is what they show, the others as they are now. One that was changed since it was saved has
 * another mark, and that change indexes it itself.
 */
async function findFiles(
  db: Db,
  ownerId: string,
  fileIds: readonly string[],
  known: NonNullable<Indexing["known"]>,
): Promise<FileDoc[]> {
  const saved = new Map<string, FileDoc>();
  for (const id of fileIds) {
    const text = known.get(id);
    if (text && text.file.version === text.version) saved.set(id, text.file);
  }
  const unread = fileIds.filter((id) => !saved.has(id)).map((id) => new ObjectId(id));
  const read =
    unread.length === 0 ? [] : await db.files.find({ _id: { $in: unread }, user_id: ownerId }).toArray();
  return [...saved.values(), ...read];
}

/** As many files at once as their texts are easily held. */
function splitPortions(files: FileDoc[]): FileDoc[][] {
  const portions: FileDoc[][] = [];
  let bytes = 0;
  for (const file of files) {
    const open = portions.at(-1);
    if (!open || bytes + file.size_bytes > PORTION_BYTES) {
      portions.push([file]);
      bytes = file.size_bytes;
    } else {
      open.push(file);
      bytes += file.size_bytes;
    }
  }
  return portions;
}

/** Whether enough numbers were given out that segments may be merged. */
async function indexPortion(
  db: Db,
  ownerId: string,
  files: FileDoc[],
  known: NonNullable<Indexing["known"]>,
  nowMs: () => number,
): Promise<boolean> {
  const bodies = await readTexts(db, ownerId, files, known);
  const read = await collectAll(db, ownerId, files, bodies);
  const takenMs = nowMs();
  const firstNumber = await takeNumbers(db, ownerId, read.length);
  const numbered = read.map((one, i) => ({ ...one, n: firstNumber + i }));
  await createSegments(
    db,
    ownerId,
    numbered.flatMap(({ n, keys }) => (keys ? [{ n, keys }] : [])),
  );
  for (const { file, n, keys } of numbered) {
    if (nowMs() - takenMs > NUMBER_GOOD_FOR_MS) throw new Error("Indexing took too long");
    // A change that came meanwhile has marked the file anew, and indexes it itself.
    const asRead = { _id: file._id, user_id: ownerId, unindexed: file.unindexed };
    if (keys === null) await db.files.updateOne(asRead, { $set: { unindexed: WIDE }, $unset: { n: "" } });
    else await db.files.updateOne(asRead, { $set: { n }, $unset: { unindexed: "" } });
  }
  const group = (n: number) => Math.floor(n / MERGED_AT_ONCE);
  return group(firstNumber + read.length - 1) > group(firstNumber - 1);
}

/** What each file says now; null for one that is gone. */
async function readTexts(
  db: Db,
  ownerId: string,
  files: FileDoc[],
  known: NonNullable<Indexing["known"]>,
): Promise<(string | null)[]> {
  const atHand = files.map(({ _id, version }) => {
    const text = known.get(_id.toHexString());
    return text?.version === version ? text.body : null;
  });
  const unread = files.filter((_, i) => atHand[i] === null);
  const bodies = unread.length === 0 ? [] : await findBodies(db, ownerId, unread);
  const read = new Map(unread.map((file, i) => [file, bodies[i] ?? null]));
  return files.map((file, i) => atHand[i] ?? read.get(file) ?? null);
}

type Collected = { file: FileDoc; keys: Uint32Array | null };

/** What each file that has a text is filed under; null for one with too much, or whose text took too long. */
async function collectAll(
  db: Db,
  ownerId: string,
  files: FileDoc[],
  bodies: (string | null)[],
): Promise<Collected[]> {
  const collected: Collected[] = [];
  for (const [i, file] of files.entries()) {
    const body = bodies[i];
    if (body === null || body === undefined) continue;
    const made = await collectKeysApart(db, ownerId, textsToIndex(file, body));
    if (!made.ok && made.reason === "busy") throw new Error("No thread was free");
    collected.push({ file, keys: made.ok ? made.value : null });
  }
  return collected;
}

/** Stands among the numbers while a library that was never indexed is marked: a marking that was cut off is done again. */
const MARKING = { _id: "marking" };

async function isNeverIndexed({ search_numbers }: Db): Promise<boolean> {
  return (
    (await search_numbers.estimatedDocumentCount()) === 0 || (await search_numbers.findOne(MARKING)) !== null
  );
}

async function markUnindexed({ files, search_numbers }: Db): Promise<void> {
  await search_numbers.updateOne(MARKING, { $set: { last: 0 } }, { upsert: true });
  await files.updateMany(
    { n: { $exists: false }, unindexed: { $exists: false } },
    { $set: { unindexed: "never" } },
  );
  await search_numbers.deleteOne(MARKING);
}

/** What an interrupted process left unindexed, and everything of a library that was never indexed. */
export async function indexLeftovers(db: Db): Promise<number> {
  if (await isNeverIndexed(db)) await markUnindexed(db);
  let indexed = 0;
  for (;;) {
    const marked = await db.files
      .find({ unindexed: { $gt: "", $ne: WIDE } })
      .sort({ user_id: 1, deleted_at: 1, unindexed: 1 })
      .limit(LEFTOVERS_AT_ONCE)
      .toArray();
    for (const [owner, files] of Map.groupBy(marked, (file) => file.user_id))
      await indexFiles(
        db,
        owner,
        files.map(({ _id }) => _id.toHexString()),
      );
    const still = await db.files.countDocuments({
      _id: { $in: marked.map(({ _id }) => _id) },
      unindexed: { $in: marked.flatMap(({ unindexed }) => unindexed ?? []) },
    });
    indexed += marked.length - still;
    // Where some cannot be indexed, another round would meet them again.
    if (marked.length < LEFTOVERS_AT_ONCE || still > 0) return indexed;
  }
}
