import type { Db } from "#db/client.ts";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { type FileRecord, findFileByName } from "#db/files/file-records.server.ts";
import { type SavedFile, saveFile } from "#db/files/files.server.ts";
import { ensureFolders, findFolderIdAt } from "#db/files/folders/folders.server.ts";
import { hasText } from "#db/files/unchanged-text.server.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";

export type FileToPut = Pick<FileToSave, "file_name" | "body"> & {
  /** Missing folders are created, unless the expectation fails. */
  folders: readonly string[];
  /** The condition on the file at that path, or on its absence, for saving the text. */
  expects?: (current: FileRecord | null) => boolean;
};
export type PutResult = SavedFile & { unchanged: boolean };

const PUT_ATTEMPTS = 5;
/** The refusals of a save onto a version, or onto nothing, if another one came first. */
export const OVERTAKEN: readonly RefusalCode[] = ["stale_edit", "file_not_found", "file_name_taken"];

/**
 * Saves a text at a path, unless the file there has it already. An expectation is part of the write: the text is saved only
 * onto the file and version that met it, or onto nothing. If two writers have the same expectation, one succeeds, and the
 * other's is checked again against the new file.
 */
export async function putFile(
  db: Db,
  ownerId: string,
  { file_name, folders, body, expects }: FileToPut,
  now: Date,
): Promise<PutResult | Refusal> {
  let current: FileRecord | null = null;
  for (let attempt = 0; attempt < PUT_ATTEMPTS; attempt += 1) {
    const folder = await findFolderIdAt(db, ownerId, folders);
    current = folder === undefined ? null : await findFileByName(db, ownerId, file_name, folder);
    if (expects && !expects(current)) break;
    if (current && (await hasText(db, ownerId, current, body)))
      return { file: current, version: current.version, created: false, unchanged: true };
    const onto = expects && (current ? pickExpectedFields(current) : "nothing");
    const folder_id = folder === undefined ? await ensureFolders(db, ownerId, folders, now) : folder;
    if (isRefusal(folder_id)) return folder_id;
    const saved = await saveFile(db, ownerId, { file_name, folder_id, body, onto }, now);
    if (!isRefusal(saved)) return { ...saved, unchanged: false };
    if (!OVERTAKEN.includes(saved.refused)) return saved;
  }
  return Refusal("version_changed", { version: current?.version ?? null });
}

/** Returns the fields that must be unchanged when the file is written. */
export const pickExpectedFields = ({ id, version, file_name, folder_id }: FileRecord) => ({
  id,
  version,
  file_name,
  folder_id,
});
