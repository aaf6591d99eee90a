import { type Filter, ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { COVERED } from "#db/core/driver/write-concern.ts";
import { isDuplicateKey, skipDuplicate } from "#db/core/faults.server.ts";
import type { FileDoc } from "#db/files/documents.ts";
import {
  type Draft,
  type EditedFrom,
  type FileToSave,
  toDraft,
  toDraftResource,
  toFileDoc,
  toTextColumns,
  toVersionDoc,
} from "#db/files/file-drafts.server.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import {
  checkNoLookAlike,
  findNamedDoc,
  resolveFileName,
  toNameColumns,
  toNameFilter,
} from "#db/files/file-names.server.ts";
import { type FileRecord, findFile, toFile } from "#db/files/file-records.server.ts";
import { NUMBER_TAKEN, publishVersion, removeVersion } from "#db/files/file-versions.server.ts";
import { checkNoFolderNamed } from "#db/files/folders/folders.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { keyedDetails, normalizeTagCase } from "#db/files/tags.server.ts";
import { runWithinQuota } from "#db/files/usage/library-usage.server.ts";
import { indexOrQueueSavedFile } from "#db/search/search-index.server.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { isFileId } from "#domain/files/selection.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

export type SavedFile = {
  file: FileRecord;
  version: number;
  created: boolean;
  /** The file already had this text, so no version was made. */
  unchanged?: boolean;
  /** The text is unchanged, but another detail of the file was updated. */
  described?: boolean;
};

const SAVE_ATTEMPTS = 5;

/**
 * Saves a text under a name. If the folder has a file of that name that is not in the trash, the file gets its next version; otherwise
 * a new file is created. A version number is taken by an atomic increment, then the body is written under it, and then the file
 * points to it, never to a lower number: concurrent saves each keep their own version, and a crash leaves at most an unused number.
 * An edit is refused as stale, and leaves nothing behind, if the file no longer shows the version that the edit began with.
 */
export async function saveFile(
  db: Db,
  ownerId: string,
  input: FileToSave,
  now: Date,
): Promise<SavedFile | Refusal> {
  const draft = toDraft(input);
  if (isRefusal(draft)) return draft;
  const bytes = utf8Bytes(draft.body);
  const findResource = () => toDraftResource(ownerId, draft);
  return emitOnFault("db_save_code_snippet_error", db, findResource, () =>
    runWithinQuota(db, ownerId, { bytes, uploads: input.byJob ? 0 : 1 }, now, async (free) => {
      const saved = await storeDraft(db, ownerId, draft, now);
      if (isRefusal(saved)) free(bytes);
      return saved;
    }),
  );
}

export async function storeDraft(
  db: Db,
  ownerId: string,
  draft: Draft,
  now: Date,
): Promise<SavedFile | Refusal> {
  const { onto, tags } = draft;
  const editedId = typeof onto === "object" ? onto.id : undefined;
  if (tags) draft.tags = await normalizeTagCase(db, ownerId, tags, editedId);
  const savedVersion = await (!onto
    ? saveByName(db, ownerId, draft, now)
    : onto === "nothing"
      ? saveAsNewFile(db, ownerId, draft, now)
      : saveEdit(db, ownerId, draft, onto, now));
  if (isRefusal(savedVersion)) return savedVersion;
  const { doc, version, created } = savedVersion;
  const file = toFile(doc);
  await indexOrQueueSavedFile(db, ownerId, file.id, { version, body: draft.body, file: doc });
  db.emit("business_metric", { metric: "file_saved", resource: { type: "file", id: file.id } });
  return { file, version, created };
}

/** The version just saved, and its file, which may already show a newer version. */
type SavedVersion = { doc: FileDoc; version: number; created: boolean };

async function saveByName(db: Db, ownerId: string, draft: Draft, now: Date): Promise<SavedVersion | Refusal> {
  draft.file_name = await resolveFileName(db, ownerId, draft);
  for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt += 1) {
    const saved =
      (await saveNextVersion(db, ownerId, draft, now)) ?? (await createFile(db, ownerId, draft, now));
    if (saved) return saved;
  }
  throw new Error("A file was created and removed under this name faster than it could be saved");
}

async function saveAsNewFile(
  db: Db,
  ownerId: string,
  draft: Draft,
  now: Date,
): Promise<SavedVersion | Refusal> {
  const { file_name, folder_id } = draft;
  const existing = await findNamedDoc(db, ownerId, file_name, folder_id);
  draft.file_name = toComposedName(file_name);
  const created = existing ? null : await createFile(db, ownerId, draft, now);
  return created ?? Refusal("file_name_taken", { file_name });
}

async function saveNextVersion(
  db: Db,
  ownerId: string,
  draft: Draft,
  now: Date,
): Promise<SavedVersion | null> {
  const file = await reserveVersionNumber(db, toNameFilter(ownerId, draft.file_name, draft.folder_id));
  if (!file) return null;
  draft.writtenTo = file._id.toHexString();
  const version = file.last_version;
  const columns = { ...toTextColumns(draft, now), ...keyedDetails(draft), version };
  const doc = toVersionDoc(file, version, draft, now);
  const published = await publishVersion(db, doc, draft.body, () =>
    pointToVersion(db, { _id: file._id, ...living(ownerId), version: { $lt: version } }, columns),
  );
  if (published === NUMBER_TAKEN) return null;
  if (!published && !(await findFile(db, ownerId, file._id.toHexString()))) {
    // The file was deleted in between. Files in the trash get no versions, so the caller creates a new file.
    await removeVersion(db, file._id, version);
    return null;
  }
  return { doc: published ?? file, version, created: false };
}

/** The owner is the shard key, so every filter has to name one. */
type OwnedFilter = Filter<FileDoc> & { user_id: string };

/** Takes the next version number. It does not wait for the majority, because `pointToVersion` later does. */
function reserveVersionNumber(db: Db, filter: OwnedFilter): Promise<FileDoc | null> {
  return db.files.findOneAndUpdate(
    filter,
    { $inc: { last_version: 1 } },
    { returnDocument: "after", ...COVERED },
  );
}

/** Points the file to a version. It also sets the highest number, because an election may have lost the write that took it. */
function pointToVersion(
  db: Db,
  filter: OwnedFilter,
  columns: Partial<FileDoc> & { version: number },
): Promise<FileDoc | null> {
  return db.files.findOneAndUpdate(
    filter,
    { $set: columns, $max: { last_version: columns.version } },
    { returnDocument: "after" },
  );
}

async function saveEdit(
  db: Db,
  ownerId: string,
  draft: Draft,
  onto: EditedFrom,
  now: Date,
): Promise<SavedVersion | Refusal> {
  if (!isFileId(onto.id)) return Refusal("file_not_found", { file_id: onto.id });
  const { id, ...expected } = onto;
  draft.writtenTo = id;
  const unchanged = { _id: new ObjectId(id), ...living(ownerId), ...expected };
  const file = await reserveVersionNumber(db, unchanged);
  if (!file) return findStaleEditRefusal(db, ownerId, onto.id);
  const version = file.last_version;
  const isRenamed = draft.file_name !== file.file_name;
  if (isRenamed) draft.file_name = toComposedName(draft.file_name);
  const { file_name } = draft;
  const nameConflict = isRenamed && (await checkNewName(db, ownerId, file, file_name));
  if (nameConflict) return nameConflict;
  const columns = {
    ...toTextColumns(draft, now),
    ...toNameColumns(file_name),
    ...keyedDetails(draft),
    version,
  };
  const doc = toVersionDoc(file, version, draft, now);
  const published = await publishVersion(db, doc, draft.body, () =>
    pointToVersion(db, unchanged, columns).catch((error) => {
      if (isDuplicateKey(error)) return Refusal("file_name_taken", { file_name });
      throw error;
    }),
  );
  if (published === NUMBER_TAKEN) return findStaleEditRefusal(db, ownerId, onto.id);
  if (published && !isRefusal(published)) return { doc: published, version, created: false };
  await removeVersion(db, file._id, version);
  return published ?? findStaleEditRefusal(db, ownerId, onto.id);
}

async function checkNewName(
  db: Db,
  ownerId: string,
  file: FileDoc,
  file_name: string,
): Promise<Refusal | null> {
  const folder_id = file.folder_id ?? null;
  return (
    (await checkNoFolderNamed(db, ownerId, folder_id, [file_name])) ??
    checkNoLookAlike(db, ownerId, { id: file._id.toHexString(), folder_id, file_name })
  );
}

/** Returns the reason why an edit was refused: the file has changed, or it is gone. */
async function findStaleEditRefusal(db: Db, ownerId: string, file_id: string): Promise<Refusal> {
  const file = await findFile(db, ownerId, file_id);
  return file
    ? Refusal("stale_edit", { file_id, version: file.version })
    : Refusal("file_not_found", { file_id });
}

async function createFile(
  db: Db,
  ownerId: string,
  draft: Draft,
  now: Date,
): Promise<SavedVersion | Refusal | null> {
  const nameConflict = await checkNoFolderNamed(db, ownerId, draft.folder_id ?? null, [draft.file_name]);
  if (nameConflict) return nameConflict;
  const doc = toFileDoc(ownerId, draft, now);
  const version = toVersionDoc(doc, 1, draft, now);
  const isFirst = await skipDuplicate(publishVersion(db, version, draft.body, () => db.files.insertOne(doc)));
  if (isFirst) return { doc, version: 1, created: true };
  // Another save created a file of this name first.
  await removeVersion(db, doc._id, 1);
  return null;
}
