import type { Db } from "#db/client.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { findVersion, readVersionBody } from "#db/files/file-versions.server.ts";
import type { SavedFile } from "#db/files/files.server.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const RESTORE_ATTEMPTS = 5;

/**
 * Makes the text of an old version the newest version under the file's current name, unless the file shows it already. It is an
 * edit of the current version: if another save comes first, it is tried again on that version, which stays in the history.
 */
export async function restoreVersion(
  db: Db,
  ownerId: string,
  file_id: string,
  version: number,
  now: Date,
): Promise<SavedFile | Refusal> {
  for (let attempt = 1; ; attempt += 1) {
    const file = await findFile(db, ownerId, file_id);
    if (!file) return Refusal("file_not_found", { file_id });
    const [oldVersion, body] = await Promise.all([
      findVersion(db, ownerId, file, version),
      readVersionBody(db, ownerId, file, version),
    ]);
    if (!oldVersion || body === null) return Refusal("version_not_found", { file_id, version });
    const saved = await editFile(
      db,
      ownerId,
      {
        file_name: file.file_name,
        body,
        language: isLanguage(oldVersion.language) ? oldVersion.language : undefined,
        onto: { id: file_id, version: file.version },
      },
      now,
    );
    const isOvertaken = isRefusal(saved) && saved.refused === "stale_edit";
    if (!isOvertaken || attempt === RESTORE_ATTEMPTS) return saved;
  }
}
