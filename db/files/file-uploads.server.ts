import type { Db } from "#db/client.ts";
import {
  type Draft,
  emitOnFault,
  type FileToSave,
  keepDraft,
  type SavedFile,
  toDraft,
} from "#db/files/files.server.ts";
import { storeBytes } from "#db/files/library-usage.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

/**
 * Keeps several texts, in order, where there is room for all of them: else none is kept. The first that is refused for another
 * reason stops the rest; those before it stand.
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
  return emitOnFault("db_save_code_snippet_error", db, { type: "user", id: ownerId }, () =>
    storeBytes(db, ownerId, { bytes: left, uploads: drafts.length }, now, async (free) => {
      const saved: SavedFile[] = [];
      for (const draft of drafts) {
        const one = await keepDraft(db, ownerId, draft, now);
        if (isRefusal(one)) {
          free(left);
          return one;
        }
        left -= utf8Bytes(draft.body);
        saved.push(one);
      }
      return saved;
    }),
  );
}
