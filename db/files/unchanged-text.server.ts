import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import {
  type FileRecord,
  findFile,
  findFileByName,
  readBody,
  toFile,
} from "#db/files/file-records.server.ts";
import { updateVersion } from "#db/files/file-versions.server.ts";
import type { SavedFile } from "#db/files/files.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { keyedDetails, normalizeTagCase } from "#db/files/tags.server.ts";
import { indexOrQueueFiles, unindexed } from "#db/search/search-index.server.ts";
import { pickDetails } from "#domain/files/file-details.ts";
import { detectLanguage } from "#domain/files/language.ts";
import { utf8Bytes } from "#domain/text/text.ts";
import { listKeys } from "#domain/typed-keys.ts";

type UnchangedFile = SavedFile & { unchanged: true; described: boolean };

/**
 * A version is a text with a name. If the file already has this text and name, no version is made, and only its other details
 * are updated while it still has that version. Returns null if the text differs, begins a file, or edits another version.
 */
export async function updateIfTextUnchanged(
  db: Db,
  ownerId: string,
  draft: FileToSave,
  current?: FileRecord,
): Promise<UnchangedFile | null> {
  const file = current ?? (await findEditedFile(db, ownerId, draft));
  if (!file || !(await hasText(db, ownerId, file, draft.body))) return null;
  const details = pickDetails(draft);
  if (details.tags) details.tags = await normalizeTagCase(db, ownerId, details.tags, file.id);
  const newDetails = { language: draft.language ?? chooseLanguage(draft, file), ...details };
  const isSame = listKeys(newDetails).every(
    (name) => JSON.stringify(newDetails[name]) === JSON.stringify(file[name]),
  );
  if (isSame) return { file, version: file.version, created: false, unchanged: true, described: false };
  const doc = await db.files.findOneAndUpdate(
    { _id: new ObjectId(file.id), ...living(ownerId), version: file.version, file_name: file.file_name },
    { $set: { ...newDetails, ...keyedDetails(details), ...unindexed() } },
    { returnDocument: "after" },
  );
  if (!doc) return null;
  await updateVersion(db, doc._id, doc.version, { language: newDetails.language });
  await indexOrQueueFiles(db, ownerId, [file.id]);
  return { file: toFile(doc), version: doc.version, created: false, unchanged: true, described: true };
}

async function findEditedFile(
  db: Db,
  ownerId: string,
  { onto, file_name, folder_id }: FileToSave,
): Promise<FileRecord | null> {
  if (onto === "nothing") return null;
  if (!onto) return findFileByName(db, ownerId, file_name, folder_id);
  const file = await findFile(db, ownerId, onto.id);
  return file?.version === onto.version && file.file_name === file_name ? file : null;
}

/** An edit without a language gets the detected one; saving a text again leaves the language as it is. */
const chooseLanguage = ({ onto, file_name, body }: FileToSave, { language }: FileRecord) =>
  onto ? detectLanguage(file_name, body) : language;

export async function hasText(db: Db, ownerId: string, file: FileRecord, body: string): Promise<boolean> {
  return file.size_bytes === utf8Bytes(body) && (await readBody(db, ownerId, file)) === body;
}
