import type { Db } from "#db/client.ts";
import { type Draft, type FileToSave, toDraft, toDraftResource } from "#db/files/file-drafts.server.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { keepDraft, type SavedFile } from "#db/files/files.server.ts";
import { keepUnchangedText } from "#db/files/unchanged-text.server.ts";
import { storeBytes } from "#db/files/usage/library-usage.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

/**
 * Keeps several texts, in order, where there is room for all of them: else none is kept. The first that is refused for another
 * reason stops the rest; those before it stand. A text that its file shows already is no new version.
 */
export async function saveFiles(
  db: Db,
  ownerId: string,
  inputs: readonly FileToSave[],
  now: Date,
): Promise<SavedFile[] | Refusal> {
  const drafts: Draft[] = [];
  for (const input of inputs) {
    const draft = toDraft(input);
    if (isRefusal(draft)) return draft;
    drafts.push(draft);
  }
  let left = drafts.reduce((sum, { body }) => sum + utf8Bytes(body), 0);
  let saving: Draft | undefined;
  const findResource = () => (saving ? toDraftResource(ownerId, saving) : { type: "user", id: ownerId });
  return emitOnFault("db_save_code_snippet_error", db, findResource, () =>
    storeBytes(db, ownerId, { bytes: left, uploads: drafts.length }, now, async (free) => {
      const saved: SavedFile[] = [];
      for (const [i, draft] of drafts.entries()) {
        saving = draft;
        // What was found in the text is no choice of the person's.
        const kept = await keepUnchangedText(db, ownerId, { ...draft, language: inputs[i]?.language });
        const one = kept ?? (await keepDraft(db, ownerId, draft, now));
        if (isRefusal(one)) {
          free(left);
          return one;
        }
        if (kept) free(utf8Bytes(draft.body));
        left -= utf8Bytes(draft.body);
        saved.push(one);
      }
      return saved;
    }),
  );
}
