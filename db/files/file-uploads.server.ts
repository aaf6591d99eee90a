import type { Db } from "#db/client.ts";
import { type Draft, type FileToSave, toDraft, toDraftResource } from "#db/files/file-drafts.server.ts";
import { emitOnFault } from "#db/files/file-faults.server.ts";
import { OVERTAKEN, pickExpectedFields } from "#db/files/file-puts.server.ts";
import { findFileByName } from "#db/files/file-records.server.ts";
import { type SavedFile, storeDraft } from "#db/files/files.server.ts";
import { updateIfTextUnchanged } from "#db/files/unchanged-text.server.ts";
import { runWithinQuota } from "#db/files/usage/library-usage.server.ts";
import type { LanguageName } from "#domain/files/language.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { utf8Bytes } from "#domain/text/text.ts";

const UPLOAD_ATTEMPTS = 5;

/**
 * Saves several texts, in order, if there is room for all of them; otherwise none. The first refusal for another reason stops
 * the rest, while those before it remain saved. A text that its file has already makes no new version.
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
  let remainingBytes = drafts.reduce((sum, { body }) => sum + utf8Bytes(body), 0);
  let saving: Draft | undefined;
  const findResource = () => (saving ? toDraftResource(ownerId, saving) : { type: "user", id: ownerId });
  return emitOnFault("db_save_code_snippet_error", db, findResource, () =>
    runWithinQuota(db, ownerId, { bytes: remainingBytes, uploads: drafts.length }, now, async (free) => {
      const saved: SavedFile[] = [];
      for (const [i, draft] of drafts.entries()) {
        saving = draft;
        const savedFile = await saveUpload(db, ownerId, draft, inputs[i]?.language, now);
        if (isRefusal(savedFile)) {
          free(remainingBytes);
          return savedFile;
        }
        if (savedFile.unchanged) free(utf8Bytes(draft.body));
        remainingBytes -= utf8Bytes(draft.body);
        saved.push(savedFile);
      }
      return saved;
    }),
  );
}

/**
 * Saves the text onto the version that it was compared with, or onto nothing. So of two equal simultaneous uploads, the later one finds the
 * text of the other and makes no version. If a file keeps changing, the text becomes a version without a comparison.
 */
async function saveUpload(
  db: Db,
  ownerId: string,
  draft: Draft,
  chosenLanguage: LanguageName | undefined,
  now: Date,
): Promise<SavedFile | Refusal> {
  const { file_name, folder_id } = draft;
  for (let attempt = 0; attempt < UPLOAD_ATTEMPTS; attempt += 1) {
    const current = await findFileByName(db, ownerId, file_name, folder_id);
    // A language detected from the text is not a person's choice.
    const input = { ...draft, language: chosenLanguage, onto: undefined };
    const unchangedFile = current && (await updateIfTextUnchanged(db, ownerId, input, current));
    if (unchangedFile) return unchangedFile;
    draft.file_name = current?.file_name ?? file_name;
    draft.onto = current ? pickExpectedFields(current) : "nothing";
    const saved = await storeDraft(db, ownerId, draft, now);
    if (!isRefusal(saved) || !OVERTAKEN.includes(saved.refused)) return saved;
  }
  draft.onto = undefined;
  return storeDraft(db, ownerId, draft, now);
}
