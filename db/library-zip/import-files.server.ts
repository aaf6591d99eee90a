import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { duplicateFields } from "#db/core/slots.server.ts";
import type { FileDoc, VersionDoc } from "#db/files/documents.ts";
import { measureBody } from "#db/files/file-drafts.server.ts";
import { checkNoLookAlike, toNameColumns } from "#db/files/file-names.server.ts";
import { bodyKey } from "#db/files/file-versions.server.ts";
import { checkNoFileNamed, readFolders } from "#db/files/folders/folders.server.ts";
import { keyedTags, normalizeTagCase } from "#db/files/tags.server.ts";
import { runWithinQuota } from "#db/files/usage/library-usage.server.ts";
import { indexOrQueueFiles, unindexed } from "#db/search/search-index.server.ts";
import { type FolderTree, findChild, toNumberedFolderName } from "#domain/files/folders/folder-tree.ts";
import { PINS_MAX } from "#domain/files/marks.ts";
import { listNameForms, toComposedName } from "#domain/files/name-forms.ts";
import { numberedName } from "#domain/files/trash.ts";
import type { Imported } from "#domain/library-zip/export-format.ts";
import type { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/**
 * Imports one file of an export with all its versions. The record is written first, hidden like a file in the trash, so that no
 * clean-up removes its texts; then the texts; then the file is shown under its name, or under a numbered one if that is taken. An
 * interrupted import can be repeated with the same result; if it is not, the hidden record expires.
 */
type Texts = (path: string) => Promise<string>;
const NAMES_TRIED = 10_000;
const UNFINISHED_FOR_MS = DAY_MS;

/** A file record from a zip, with the id of its folder in this library. */
type FileToImport = Imported<"files"> & { folder_id: string | null };

export async function importFile(
  db: Db,
  ownerId: string,
  fileId: string,
  { folder: _, folder_id, file_name: name, ...record }: FileToImport,
  textAt: Texts,
  now: Date,
): Promise<boolean | Refusal> {
  const _id = new ObjectId(fileId);
  const hidden = {
    deleted_at: now,
    expires_at: new Date(now.getTime() + UNFINISHED_FOR_MS),
    expiring: false,
  };
  const shownVersion = record.versions.find(({ version }) => version === record.version);
  const shownText = await textAt(required(shownVersion, "version that is shown").path);
  const { id: _i, versions, pin_slot, ...columns } = record;
  const file_name = toComposedName(name);
  const doc: FileDoc = {
    _id,
    user_id: ownerId,
    folder_id,
    ...columns,
    ...keyedTags(await normalizeTagCase(db, ownerId, columns.tags)),
    ...toNameColumns(file_name),
    ...measureBody(shownText),
    ...hidden,
    importing: true,
  };
  if (!(await skipDuplicate(db.files.insertOne(doc)))) {
    const renewed = await db.files.updateOne({ _id, user_id: ownerId, importing: true }, { $set: hidden });
    if (renewed.matchedCount === 0) return false;
  }
  const expiry = record.expires_at ? { expires_at: record.expires_at } : {};
  for (const { path, ...version } of versions) {
    const body = version.version === record.version ? shownText : await textAt(path);
    const row = { file_id: _id, user_id: ownerId, ...version, ...measureBody(body), ...expiry };
    const refusal = await importVersion(db, row, body, now);
    if (refusal) return refusal;
  }
  return record.deleted_at
    ? finishTrashedFile(db, ownerId, _id, record)
    : showImportedFile(db, ownerId, _id, { file_name, folder_id, is_pinned: record.is_pinned }, pin_slot);
}

/** A version that already exists is neither stored nor counted again. */
async function importVersion(
  db: Db,
  row: Omit<VersionDoc, "_id">,
  body: string,
  now: Date,
): Promise<Refusal | null> {
  const { file_id, user_id, version, size_bytes, expires_at } = row;
  const expiry = expires_at ? { expires_at } : {};
  return runWithinQuota(db, user_id, { bytes: size_bytes }, now, async (free) => {
    const _id = bodyKey(file_id, version);
    await skipDuplicate(db.file_bodies.insertOne({ _id, user_id, body, ...expiry }));
    const isNew = await skipDuplicate(db.file_versions.insertOne({ _id: new ObjectId(), ...row }));
    if (!isNew) free(size_bytes);
    return null;
  });
}

async function finishTrashedFile(
  db: Db,
  ownerId: string,
  _id: ObjectId,
  { deleted_at, expires_at }: Pick<FileToImport, "deleted_at" | "expires_at">,
): Promise<boolean> {
  const done = await db.files.updateOne(
    { _id, user_id: ownerId, importing: true },
    { $set: { deleted_at, expires_at, expiring: true }, $unset: { importing: 1 } },
  );
  return done.matchedCount === 1;
}

/**
 * Shows the file and pins it in one write. If the name or the pin slot is taken, the next one is tried; if all pin slots are
 * taken, the file is not pinned.
 */
async function showImportedFile(
  db: Db,
  ownerId: string,
  _id: ObjectId,
  { file_name, folder_id, is_pinned }: Pick<FileToImport, "file_name" | "folder_id" | "is_pinned">,
  pin_slot: number | undefined,
): Promise<boolean> {
  const tree = await readFolders(db, ownerId);
  const freeSlots = is_pinned ? new Set([pin_slot ?? 0, ...Array(PINS_MAX).keys()]) : new Set<number>();
  for (let number = 1; number <= NAMES_TRIED; ) {
    const [slot] = [...freeSlots].filter((candidate) => candidate < PINS_MAX);
    const pin = slot === undefined ? { is_pinned: false } : { is_pinned: true, pin_slot: slot };
    const name = number === 1 ? file_name : numberedName(file_name, number);
    const target = { id: _id.toHexString(), folder_id, file_name: name };
    if (findChild(tree, folder_id, name) || (await checkNoLookAlike(db, ownerId, target))) {
      number += 1;
      continue;
    }
    try {
      const done = await db.files.updateOne(
        { _id, user_id: ownerId, importing: true },
        {
          $set: { deleted_at: null, expires_at: null, ...pin, ...toNameColumns(name), ...unindexed() },
          $unset: { importing: 1, expiring: 1 },
        },
      );
      if (done.matchedCount === 0) return false;
      await indexOrQueueFiles(db, ownerId, [_id.toHexString()]);
      return true;
    } catch (error) {
      const takenFields = duplicateFields(error);
      if (slot !== undefined && takenFields.includes("pin_slot")) freeSlots.delete(slot);
      else if (takenFields.includes("file_name")) number += 1;
      else throw error;
    }
  }
  throw new Error("No free name was found for a file to import");
}

type NameInFolder = { folder_id: string | null; file_name: string };

export const toNameInFolder = ({ folder_id, file_name }: NameInFolder): string =>
  `${folder_id ?? ""}/${toComposedName(file_name)}`;

/** Returns the names among these that a file (in any Unicode form) or a folder in the same folder already has. */
export async function findTakenNames(
  db: Db,
  ownerId: string,
  names: readonly NameInFolder[],
): Promise<Set<string>> {
  const docs = await db.files
    .find({
      user_id: ownerId,
      folder_id: { $in: [...new Set(names.map(({ folder_id }) => folder_id))] },
      file_name: { $in: [...new Set(names.flatMap(({ file_name }) => listNameForms(file_name)))] },
      deleted_at: null,
    })
    .project<{ file_name: string; folder_id?: string | null }>({ _id: 0, file_name: 1, folder_id: 1 })
    .toArray();
  const tree = await readFolders(db, ownerId);
  const folders = names.filter(({ folder_id, file_name }) => findChild(tree, folder_id, file_name));
  const files = docs.map(({ folder_id = null, file_name }) => ({ folder_id, file_name }));
  return new Set([...folders, ...files].map(toNameInFolder));
}

/** Returns the name, or the first numbered one that no file in the folder has. An existing folder of that name is fine. */
export async function findFreeFolderName(
  db: Db,
  ownerId: string,
  tree: FolderTree,
  parent_id: string | null,
  name: string,
): Promise<string> {
  for (let number = 1; number <= NAMES_TRIED; number += 1) {
    const candidate = toNumberedFolderName(name, number);
    if (findChild(tree, parent_id, candidate) || !(await checkNoFileNamed(db, ownerId, parent_id, candidate)))
      return candidate;
  }
  throw new Error("No free name was found for a folder to import");
}
