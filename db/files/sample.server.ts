import type { Db } from "#db/client.ts";
import type { FileToSave } from "#db/files/file-drafts.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { isNameTaken } from "#db/files/free-name.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { setFavorites } from "#db/files/selection.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

export type SampleFile = FileToSave & { favorite?: true; pinned?: true };

/**
 * Adds sample files to a library and returns their number. Existing names are skipped, so that repeated or simultaneous calls
 * create each file only once. Each file is a second younger than the one before it, which keeps their order.
 */
export async function addSampleFiles(
  db: Db,
  ownerId: string,
  sample: readonly SampleFile[],
  now: Date,
): Promise<number | Refusal> {
  let added = 0;
  for (const [i, { favorite, pinned, ...file }] of sample.entries()) {
    const moment = new Date(now.getTime() - (sample.length - i) * 1000);
    const saved = await saveFile(db, ownerId, { ...file, onto: "nothing" }, moment);
    if (isRefusal(saved) && isNameTaken(saved)) continue;
    if (isRefusal(saved)) return saved;
    if (favorite) await setFavorites(db, ownerId, [saved.file.id], true);
    if (pinned) await pinFile(db, ownerId, saved.file.id);
    added += 1;
  }
  return added;
}
