import type { Db } from "#db/client.ts";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { type SavedFile, saveFile } from "#db/files/files.server.ts";
import { numberedName } from "#domain/files/trash.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

export const isNameTaken = ({ refused }: Refusal) =>
  refused === "file_name_taken" || refused === "name_of_folder";

const NUMBER_MAX = 1_000;

/** Never saves onto an existing file: a name that a file or a folder has gets a number. */
export async function saveUnderFreeName(
  db: Db,
  ownerId: string,
  file: FileToSave,
  now: Date,
): Promise<SavedFile | Refusal> {
  for (let number = 1; number <= NUMBER_MAX; number += 1) {
    const file_name = number === 1 ? file.file_name : numberedName(file.file_name, number);
    const saved = await saveFile(db, ownerId, { ...file, file_name, onto: "nothing" }, now);
    if (!isRefusal(saved) || !isNameTaken(saved)) return saved;
  }
  return Refusal("file_name_taken");
}
