import type { Db } from "#db/client.ts";
import type { EditedFrom, FileToSave } from "#db/files/file-drafts.server.ts";
import { type SavedFile, saveFile } from "#db/files/files.server.ts";
import { updateIfTextUnchanged } from "#db/files/unchanged-text.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

export type Edit = FileToSave & { onto: EditedFrom };
type EditedFile = SavedFile & { unchanged: boolean; described: boolean };

/** Saves an edit, as a new version if its text or its name changed. */
export async function editFile(
  db: Db,
  ownerId: string,
  edit: Edit,
  now: Date,
): Promise<EditedFile | Refusal> {
  const unchangedFile = await updateIfTextUnchanged(db, ownerId, edit);
  if (unchangedFile) return unchangedFile;
  const saved = await saveFile(db, ownerId, edit, now);
  return isRefusal(saved) ? saved : { ...saved, unchanged: false, described: false };
}
