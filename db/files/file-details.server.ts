import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/core/faults.server.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { checkNoLookAlike, toNameColumns } from "#db/files/file-names.server.ts";
import { type FileRecord, findFile, readBody, toFile } from "#db/files/file-records.server.ts";
import { updateVersion } from "#db/files/file-versions.server.ts";
import { checkFolderExists, checkNoFolderNamed } from "#db/files/folders/folders.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { keyedDetails, normalizeTagCase } from "#db/files/tags.server.ts";
import { indexOrQueueFiles, unindexed } from "#db/search/search-index.server.ts";
import type { FileDetails } from "#domain/files/file-details.ts";
import { detectLanguage } from "#domain/files/language.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

export type DetailChanges = Partial<FileDetails> & {
  file_name?: string;
  language?: string;
  /** Null moves it to the root. */
  folder_id?: string | null;
};

const UPDATE_ATTEMPTS = 5;

/**
 * Changes the details of a file, including its name and its folder, without a new version. A language that was detected from
 * the old name is detected again; one that a person chose stays.
 */
export async function updateDetails(
  db: Db,
  ownerId: string,
  file_id: string,
  { file_name: newName, ...others }: DetailChanges,
): Promise<FileRecord | Refusal> {
  const changes: DetailChanges =
    newName === undefined ? { ...others } : { ...others, file_name: toComposedName(newName) };
  if (changes.tags) changes.tags = await normalizeTagCase(db, ownerId, changes.tags, file_id);
  const missing = await checkFolderExists(db, ownerId, changes.folder_id ?? null);
  if (missing) return missing;
  for (let attempt = 1; ; attempt += 1) {
    const file = await findFile(db, ownerId, file_id);
    if (!file) return Refusal("file_not_found", { file_id });
    if (Object.keys(changes).length === 0) return file;
    const { file_name, folder_id } = { ...file, ...changes };
    const isPlaced = file_name !== file.file_name || folder_id !== file.folder_id;
    const nameConflict = isPlaced && (await checkNoFolderNamed(db, ownerId, folder_id, [file_name]));
    if (nameConflict) return nameConflict;
    if (isPlaced && (await checkNoLookAlike(db, ownerId, { id: file_id, folder_id, file_name })))
      return Refusal("name_taken", { file_name });
    const language = changes.language ?? (await chooseLanguage(db, ownerId, file, changes.file_name));
    const doc = await setDetails(db, ownerId, file, { ...changes, language });
    if (isRefusal(doc)) return doc;
    if (doc) return publishDetails(db, ownerId, doc);
    if (attempt === UPDATE_ATTEMPTS) return Refusal("stale_edit", { file_id, version: file.version });
  }
}

async function chooseLanguage(
  db: Db,
  ownerId: string,
  file: FileRecord,
  name = file.file_name,
): Promise<string> {
  if (name === file.file_name) return file.language;
  const body = await readBody(db, ownerId, file);
  return file.language === detectLanguage(file.file_name, body) ? detectLanguage(name, body) : file.language;
}

async function setDetails(
  db: Db,
  ownerId: string,
  { id, version, file_name }: FileRecord,
  { file_name: newName, ...columns }: DetailChanges,
): Promise<FileDoc | Refusal | null> {
  try {
    return await db.files.findOneAndUpdate(
      { _id: new ObjectId(id), ...living(ownerId), version, file_name },
      {
        $set: {
          ...columns,
          ...keyedDetails(columns),
          ...(newName === undefined ? {} : toNameColumns(newName)),
          ...unindexed(),
        },
      },
      { returnDocument: "after" },
    );
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return Refusal("name_taken", { file_name: newName ?? file_name });
  }
}

async function publishDetails(db: Db, ownerId: string, doc: FileDoc): Promise<FileRecord> {
  const { language, file_name } = doc;
  await updateVersion(db, doc._id, doc.version, { language, file_name });
  await indexOrQueueFiles(db, ownerId, [doc._id.toHexString()]);
  return toFile(doc);
}
