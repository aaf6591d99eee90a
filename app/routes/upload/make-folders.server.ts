import type { Db } from "#db/client.ts";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { ensureFolders, readFolders } from "#db/files/folders/folders.server.ts";
import { findTrail } from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { PlacedFile } from "./form.server.ts";

/**
 * Creates the missing folders of typed names such as `tools/first.py` below the selected folder. Returns the files with their folders'
 * ids.
 */
export async function createMissingFolders(
  db: Db,
  ownerId: string,
  placedFiles: readonly PlacedFile[],
  chosen: string | null,
  now: Date,
): Promise<FileToSave[] | Refusal> {
  const files: FileToSave[] = [];
  for (const { file, folders } of placedFiles) {
    const folder_id =
      folders.length === 0 ? chosen : await createFoldersBelow(db, ownerId, chosen, folders, now);
    if (isRefusal(folder_id)) return folder_id;
    files.push({ ...file, folder_id });
  }
  return files;
}

async function createFoldersBelow(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  names: readonly string[],
  now: Date,
): Promise<string | null | Refusal> {
  const trail = folder_id === null ? [] : findTrail(await readFolders(db, ownerId), folder_id);
  if (!trail) return Refusal("folder_not_found", { folder_id });
  return ensureFolders(db, ownerId, [...trail.map(({ name }) => name), ...names], now);
}
