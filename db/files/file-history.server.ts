import type { Db } from "#db/client.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { findVersion, readVersion } from "#db/files/file-versions.server.ts";
import type { SavedFile } from "#db/files/files.server.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const RESTORE_ATTEMPTS = 5;

/**
 * Makes the text of an old version the newest version, under the file's name of today, unless the file shows it. It is an edit of whatever the file
 * shows: where someone saves meanwhile it is tried again upon their version, which stays in the history.
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
    const [old, body] = await Promise.all([
      findVersion(db, ownerId, file, version),
      readVersion(db, ownerId, file, version),
    ]);
    if (!old || body === null) return Refusal("version_not_found", { file_id, version });
    const saved = await editFile(
      db,
      ownerId,
      {
        file_name: file.file_name,
        body,
        language: isLanguage(old.language) ? old.language : undefined,
        onto: { id: file_id, version: file.version },
      },
      now,
    );
    const overtaken = isRefusal(saved) && saved.refused === "stale_edit";
    if (!overtaken || attempt === RESTORE_ATTEMPTS) return saved;
  }
}
