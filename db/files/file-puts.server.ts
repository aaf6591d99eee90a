import type { Db } from "#db/client.ts";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { type FileRecord, findFileByName } from "#db/files/file-records.server.ts";
import { type SavedFile, saveFile } from "#db/files/files.server.ts";
import { showsText } from "#db/files/unchanged-text.server.ts";
import { findFolderAt, makeFolders } from "#db/folders/folders.server.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";

export type FileToPut = Pick<FileToSave, "file_name" | "body"> & {
  /** Missing folders are made, unless the expectation fails. */
  folders: readonly string[];
  /** What has to hold of the file at that path, or of its absence, for the text to be saved. */
  expects?: (current: FileRecord | null) => boolean;
};
export type PutResult = SavedFile & { unchanged: boolean };

const PUT_ATTEMPTS = 5;
/** What a save onto a version, or onto nothing, is refused with where another one came first. */
export const OVERTAKEN: readonly RefusalCode[] = ["stale_edit", "file_not_found", "file_name_taken"];

/**
 * Saves a text at a path, unless the file there shows it already. An expectation is part of the write: the text is saved onto
 * the very file and version that met it, or onto nothing. Of two writers with the same expectation one wins, and the other's is
 * checked again against what is there then.
 */
export async function putFile(
  db: Db,
  ownerId: string,
  { file_name, folders, body, expects }: FileToPut,
  now: Date,
): Promise<PutResult | Refusal> {
  let current: FileRecord | null = null;
  for (let attempt = 0; attempt < PUT_ATTEMPTS; attempt += 1) {
    const folder = await findFolderAt(db, ownerId, folders);
    current = folder === undefined ? null : await findFileByName(db, ownerId, file_name, folder);
    if (expects && !expects(current)) break;
    if (current && (await showsText(db, ownerId, current, body)))
      return { file: current, version: current.version, created: false, unchanged: true };
    const onto = expects && (current ? pickSeen(current) : "nothing");
    const folder_id = folder === undefined ? await makeFolders(db, ownerId, folders, now) : folder;
    if (isRefusal(folder_id)) return folder_id;
    const saved = await saveFile(db, ownerId, { file_name, folder_id, body, onto }, now);
    if (!isRefusal(saved)) return { ...saved, unchanged: false };
    if (!OVERTAKEN.includes(saved.refused)) return saved;
  }
  return Refusal("version_changed", { version: current?.version ?? null });
}

/** What the file must still be when it is written to. */
export const pickSeen = ({ id, version, file_name, folder_id }: FileRecord) => ({
  id,
  version,
  file_name,
  folder_id,
});
