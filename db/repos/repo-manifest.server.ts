/**
 * Writes the result of a sync to the store. Everything here is safe to repeat: rows are put by their path, texts by their hash.
 * Only one run writes a mirror at a time, because of its lease.
 */

import {
  type AnyBulkWriteOperation,
  type Collection,
  type Document,
  ObjectId,
  type OptionalUnlessRequiredId,
} from "mongodb";
import type { Db } from "#db/client.ts";
import { hasOnlyDuplicates } from "#db/core/faults.server.ts";
import { readInPages } from "#db/core/pages.ts";
import { splitIntoPortions } from "#db/core/portions.ts";
import type { RepoDoc, RepoFileDoc, RepoFolderDoc } from "#db/repos/documents.ts";
import { textKey } from "#db/repos/repo-contents.server.ts";
import { indexOwner } from "#db/segments/index-owner.ts";
import { mergeSegments } from "#db/segments/segment-merge.server.ts";
import { allocateNumbers, createSegments, FILE_KEYS_MAX } from "#db/segments/segments.server.ts";
import { getParent, listParentFolders } from "#domain/repos/repo.ts";
import { collectKeys } from "#domain/search/search-keys.ts";

const READ_AT_ONCE = 2_000;
const WRITES_AT_ONCE = 1_000;
const INDEXED_AT_ONCE = 500;
const INDEXED_BYTES = 8 * 1024 * 1024;

/** The intended state of a file: its row and, for a text file, the text. */
export type ManifestFile = Pick<RepoFileDoc, "path" | "blob" | "size" | "language" | "kind"> & {
  text: string | null;
};

export type Mirror = Pick<RepoDoc, "_id" | "user_id">;

/** Puts files by their paths: first texts and index entries, then the rows that name both. `existingPaths` have a row already. */
export async function putFiles(
  db: Db,
  repo: Mirror,
  files: readonly ManifestFile[],
  existingPaths: { has(path: string): boolean },
): Promise<void> {
  for (const portion of splitPortions(files)) {
    await putTexts(db, repo, portion);
    const rows = await indexFiles(db, repo, portion);
    const [oldRows, newRows] = [
      rows.filter(({ path }) => existingPaths.has(path)),
      rows.filter(({ path }) => !existingPaths.has(path)),
    ];
    if (newRows.length > 0) await insertNew(db.repo_files, newRows);
    if (oldRows.length > 0) await updateRows(db, repo, oldRows);
  }
  await mergeSegments(db, indexOwner(repo._id), { now: new Date() });
  await putFolders(
    db,
    repo,
    files.map(({ path }) => path),
  );
}

function splitPortions(files: readonly ManifestFile[]): ManifestFile[][] {
  const portions: ManifestFile[][] = [];
  let bytes = 0;
  for (const file of files) {
    const weight = file.text === null ? 0 : file.size;
    const portion = portions.at(-1);
    if (!portion || bytes + weight > INDEXED_BYTES || portion.length === INDEXED_AT_ONCE) {
      portions.push([file]);
      bytes = weight;
    } else {
      portion.push(file);
      bytes += weight;
    }
  }
  return portions;
}

async function putTexts(db: Db, { _id, user_id }: Mirror, files: readonly ManifestFile[]): Promise<void> {
  const texts = new Map(files.flatMap(({ blob, text }) => (text === null ? [] : [[blob, text] as const])));
  if (texts.size === 0) return;
  await insertNew(
    db.repo_texts,
    [...texts].map(([blob, text]) => ({ _id: textKey(_id, blob), repo_id: _id, user_id, text })),
  );
}

/** A number names one state of a file and is never used again. A file with very many different character sequences gets none. */
async function indexFiles(
  db: Db,
  { _id, user_id }: Mirror,
  files: readonly ManifestFile[],
): Promise<RepoFileDoc[]> {
  const owner = indexOwner(_id);
  const firstNumber = await allocateNumbers(db, owner, files.length);
  const numbered = files.map((file, i) => ({ file, n: firstNumber + i, keys: collectRepoKeys(file) }));
  await createSegments(
    db,
    owner,
    numbered.flatMap(({ n, keys }) => (keys ? [{ n, keys }] : [])),
  );
  return numbered.map(({ file: { text: _, ...row }, n, keys }) => ({
    _id: new ObjectId(),
    repo_id: _id,
    user_id,
    ...row,
    dir: getParent(row.path),
    ...(keys ? { n } : { unindexed: true as const }),
  }));
}

const collectRepoKeys = ({ path, text, language }: ManifestFile) =>
  collectKeys({ name: path, description: "", tags: [], language, body: text ?? "", max: FILE_KEYS_MAX });

/** Existing documents stay unchanged: texts with the same hash are the same. */
async function insertNew<Doc extends Document>(
  collection: Collection<Doc>,
  docs: OptionalUnlessRequiredId<Doc>[],
): Promise<void> {
  try {
    await collection.insertMany(docs, { ordered: false });
  } catch (error) {
    if (!hasOnlyDuplicates(error)) throw error;
  }
}

async function updateRows(db: Db, { _id }: Mirror, rows: readonly RepoFileDoc[]): Promise<void> {
  for (const portion of splitIntoPortions(rows, WRITES_AT_ONCE)) {
    const writes = portion.map(
      ({ path, blob, size, language, kind, n }): AnyBulkWriteOperation<RepoFileDoc> => {
        const columns = { blob, size, language, kind };
        return {
          updateOne: {
            filter: { repo_id: _id, path },
            update:
              n === undefined
                ? { $set: { ...columns, unindexed: true }, $unset: { n: "" } }
                : { $set: { ...columns, n }, $unset: { unindexed: "" } },
          },
        };
      },
    );
    await db.repo_files.bulkWrite(writes, { ordered: false });
  }
}

async function putFolders(db: Db, { _id, user_id }: Mirror, paths: readonly string[]): Promise<void> {
  const folders = [...listParentFolders(paths)];
  for (const portion of splitIntoPortions(folders, WRITES_AT_ONCE)) {
    const writes = portion.map(
      (path): AnyBulkWriteOperation<RepoFolderDoc> => ({
        updateOne: {
          filter: { repo_id: _id, path },
          update: { $set: { user_id, dir: getParent(path) } },
          upsert: true,
        },
      }),
    );
    await db.repo_folders.bulkWrite(writes, { ordered: false });
  }
}

/** Removes files, and the folders that are empty afterwards. */
export async function removeFiles(db: Db, { _id }: Mirror, paths: readonly string[]): Promise<void> {
  for (const portion of splitIntoPortions(paths, WRITES_AT_ONCE)) {
    await db.repo_files.deleteMany({ repo_id: _id, path: { $in: portion } });
  }
  const folders = [...listParentFolders(paths)];
  const emptyFolders: string[] = [];
  for (const path of folders) {
    const filter = { repo_id: _id, path: { $gt: `${path}/`, $lt: `${path}0` } };
    if (!(await db.repo_files.findOne(filter, { projection: { _id: 1 } }))) emptyFolders.push(path);
  }
  await removeFolders(db, { _id }, emptyFolders);
}

async function removeFolders(db: Db, { _id }: Pick<Mirror, "_id">, paths: readonly string[]): Promise<void> {
  for (const portion of splitIntoPortions(paths, WRITES_AT_ONCE)) {
    await db.repo_folders.deleteMany({ repo_id: _id, path: { $in: portion } });
  }
}

/** Removes those of the former texts that no file has any more. */
export async function removeUnusedTexts(db: Db, { _id }: Mirror, blobs: readonly string[]): Promise<void> {
  for (const portion of splitIntoPortions([...new Set(blobs)], WRITES_AT_ONCE)) {
    const docs = await db.repo_files
      .find({ repo_id: _id, blob: { $in: portion } })
      .project<{ blob: string }>({ _id: 0, blob: 1 })
      .toArray();
    const usedBlobs = new Set(docs.map(({ blob }) => blob));
    const keys = portion.filter((blob) => !usedBlobs.has(blob)).map((blob) => textKey(_id, blob));
    if (keys.length > 0) await db.repo_texts.deleteMany({ _id: { $in: keys } });
  }
}

/** Restores the folders and texts that the files need after an interrupted sync, whose remains look like its changes. */
export async function repairContents(db: Db, repo: Mirror): Promise<void> {
  const files = await listManifest(db, repo);
  const folders = new Set(listParentFolders(files.keys()));
  const existingFolders = await db.repo_folders
    .find({ repo_id: repo._id })
    .project<{ path: string }>({ _id: 0, path: 1 })
    .toArray();
  await putFolders(db, repo, [...files.keys()]);
  await removeFolders(
    db,
    repo,
    existingFolders.map(({ path }) => path).filter((path) => !folders.has(path)),
  );
  const prefix = textKey(repo._id, "");
  const texts = await db.repo_texts
    .find({ _id: { $gte: prefix, $lt: `${repo._id.toHexString()};` } })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  await removeUnusedTexts(
    db,
    repo,
    texts.map(({ _id }) => _id.slice(prefix.length)),
  );
}

export type ManifestRow = Pick<RepoFileDoc, "path" | "blob" | "size" | "kind">;

export async function listManifest(db: Db, { _id }: Mirror): Promise<Map<string, ManifestRow>> {
  const rows = readInPages<RepoFileDoc, ManifestRow>(db.repo_files, {
    filter: { repo_id: _id },
    order: { path: 1 },
    projection: { _id: 0, blob: 1, size: 1, kind: 1 },
    pageSize: READ_AT_ONCE,
  });
  const manifest = new Map<string, ManifestRow>();
  for await (const row of rows) manifest.set(row.path, row);
  return manifest;
}
