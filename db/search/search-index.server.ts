/**
 * Keeps the search index correct. A change of searched fields marks the file `unindexed` in the same write, with a token of
 * that change, and searches read a marked file itself until it is in a segment. So no acknowledged change is ever missing from
 * a search after an interruption.
 */

import { ObjectId } from "mongodb";
import type { Db, KnownText } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { findBodies } from "#db/files/file-versions.server.ts";
import { collectKeysOnThread } from "#db/search/key-work.server.ts";
import { MERGED_AT_ONCE, mergeSegments } from "#db/segments/segment-merge.server.ts";
import { allocateNumbers, createSegments, FILE_KEYS_MAX } from "#db/segments/segments.server.ts";
import type { TextsToIndex } from "#domain/search/search-keys.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { generateToken } from "#platform/ids.ts";

/** A file with more keys than `FILE_KEYS_MAX` stays marked with this word. */
const WIDE = "wide";
/** The worker merges segments of more files. */
export const SMALL_FILES = 1_000;
const LEFTOVERS_AT_ONCE = 100;
const PORTION_BYTES = 4 * 1024 * 1024;
/** A number is used within this time or never, because old numbers without a file are removed from the index. */
const NUMBER_GOOD_FOR_MS = 10 * MINUTE_MS;

/** Included in every write that changes a name, a description, tags or the current version. */
export const unindexed = () => ({ unindexed: generateToken(6) });

export const listSearchableTexts = (file: Pick<FileDoc, "file_name" | "description" | "tags">) => [
  file.file_name,
  file.description,
  ...file.tags,
];

type SearchedFields = Pick<FileDoc, "file_name" | "description" | "tags" | "language">;

export const textsToIndex = (
  { file_name, description, tags, language }: SearchedFields,
  body: string,
): TextsToIndex => ({
  name: file_name,
  description,
  tags,
  language,
  body,
  max: FILE_KEYS_MAX,
});

/** Has changed files indexed: after the answer in a process that serves people, immediately in others. */
export async function indexOrQueueFiles(db: Db, ownerId: string, fileIds: readonly string[]): Promise<void> {
  if (db.indexQueue) db.indexQueue.add(ownerId, fileIds);
  else await indexFiles(db, ownerId, fileIds);
}

/** Like `indexOrQueueFiles`, for a file whose text the caller has. */
export async function indexOrQueueSavedFile(
  db: Db,
  ownerId: string,
  fileId: string,
  text: KnownText,
): Promise<void> {
  if (db.indexQueue) db.indexQueue.add(ownerId, [fileId], text);
  else await indexFiles(db, ownerId, [fileId], { known: new Map([[fileId, text]]) });
}

type Indexing = {
  /** Texts that need not be read, by file id. */
  known?: ReadonlyMap<string, KnownText | undefined>;
  nowMs?: () => number;
};

/** Indexes marked files. On failure they stay marked and can still be found; an event is emitted and false returned. */
export async function indexFiles(
  db: Db,
  ownerId: string,
  fileIds: readonly string[],
  indexing: Indexing = {},
): Promise<boolean> {
  try {
    await indexMarkedFiles(db, ownerId, fileIds, indexing);
    return true;
  } catch (error) {
    const [id] = fileIds;
    const resource = id === undefined ? { type: "user", id: ownerId } : { type: "file", id };
    db.emit("search_index_error", { error: error instanceof Error ? error.name : typeof error, resource });
    return false;
  }
}

/** Like `indexFiles`, for callers that repeat it after a failure. */
export async function indexMarkedFiles(
  db: Db,
  ownerId: string,
  fileIds: readonly string[],
  { known = new Map(), nowMs = Date.now }: Indexing = {},
): Promise<void> {
  const files = await findFiles(db, ownerId, fileIds, known);
  const markedFiles = files.filter((file) => file.unindexed && file.unindexed !== WIDE);
  let mayMerge = false;
  for (const portion of splitPortions(markedFiles))
    if (await indexPortion(db, ownerId, portion, known, nowMs)) mayMerge = true;
  if (mayMerge) await mergeSegments(db, ownerId, { now: new Date(), filesMax: SMALL_FILES });
}

/**
 * Returns the saved files if they are still current, and reads the others. A file that was changed after saving has another
 * mark, and that change indexes it.
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
  const docs =
    unread.length === 0 ? [] : await db.files.find({ _id: { $in: unread }, user_id: ownerId }).toArray();
  return [...saved.values(), ...docs];
}

/** Groups as many files as fit in memory with their texts. */
function splitPortions(files: FileDoc[]): FileDoc[][] {
  const portions: FileDoc[][] = [];
  let bytes = 0;
  for (const file of files) {
    const portion = portions.at(-1);
    if (!portion || bytes + file.size_bytes > PORTION_BYTES) {
      portions.push([file]);
      bytes = file.size_bytes;
    } else {
      portion.push(file);
      bytes += file.size_bytes;
    }
  }
  return portions;
}

/** Returns true if enough numbers were assigned that segments may be merged. */
async function indexPortion(
  db: Db,
  ownerId: string,
  files: FileDoc[],
  known: NonNullable<Indexing["known"]>,
  nowMs: () => number,
): Promise<boolean> {
  const bodies = await readTexts(db, ownerId, files, known);
  const collected = await collectAllKeys(db, ownerId, files, bodies);
  const takenMs = nowMs();
  const firstNumber = await allocateNumbers(db, ownerId, collected.length);
  const numbered = collected.map((entry, i) => ({ ...entry, n: firstNumber + i }));
  await createSegments(
    db,
    ownerId,
    numbered.flatMap(({ n, keys }) => (keys ? [{ n, keys }] : [])),
  );
  for (const { file, n, keys } of numbered) {
    if (nowMs() - takenMs > NUMBER_GOOD_FOR_MS) throw new Error("Indexing took too long");
    // A change in between has marked the file again and indexes it itself.
    const filter = { _id: file._id, user_id: ownerId, unindexed: file.unindexed };
    if (keys === null) await db.files.updateOne(filter, { $set: { unindexed: WIDE }, $unset: { n: "" } });
    else await db.files.updateOne(filter, { $set: { n }, $unset: { unindexed: "" } });
  }
  const toGroup = (n: number) => Math.floor(n / MERGED_AT_ONCE);
  return toGroup(firstNumber + collected.length - 1) > toGroup(firstNumber - 1);
}

/** Returns the current text of each file; null if it is gone. */
async function readTexts(
  db: Db,
  ownerId: string,
  files: FileDoc[],
  known: NonNullable<Indexing["known"]>,
): Promise<(string | null)[]> {
  const knownBodies = files.map(({ _id, version }) => {
    const text = known.get(_id.toHexString());
    return text?.version === version ? text.body : null;
  });
  const unread = files.filter((_, i) => knownBodies[i] === null);
  const bodies = unread.length === 0 ? [] : await findBodies(db, ownerId, unread);
  const bodyByFile = new Map(unread.map((file, i) => [file, bodies[i] ?? null]));
  return files.map((file, i) => knownBodies[i] ?? bodyByFile.get(file) ?? null);
}

type FileKeys = { file: FileDoc; keys: Uint32Array | null };

/** Collects the keys of each file with a text; null if there are too many keys or the text took too long. */
async function collectAllKeys(
  db: Db,
  ownerId: string,
  files: FileDoc[],
  bodies: (string | null)[],
): Promise<FileKeys[]> {
  const collected: FileKeys[] = [];
  for (const [i, file] of files.entries()) {
    const body = bodies[i];
    if (body === null || body === undefined) continue;
    const result = await collectKeysOnThread(db, ownerId, textsToIndex(file, body));
    if (!result.ok && result.reason === "busy") throw new Error("No thread was free");
    collected.push({ file, keys: result.ok ? result.value : null });
  }
  return collected;
}

/** Stored among the numbers while a library that was never indexed is being marked, so that an interrupted marking is repeated. */
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

/** Indexes the files that an interrupted process left, and all files of a library that was never indexed. */
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
    const stillMarked = await db.files.countDocuments({
      _id: { $in: marked.map(({ _id }) => _id) },
      unindexed: { $in: marked.flatMap(({ unindexed }) => unindexed ?? []) },
    });
    indexed += marked.length - stillMarked;
    // If some files cannot be indexed, another round would find them again.
    if (marked.length < LEFTOVERS_AT_ONCE || stillMarked > 0) return indexed;
  }
}
