import { readChosenFolder } from "#app/files/folders/listed-folder.server.ts";
import { toFormerDetails } from "#app/web/session/flash.ts";
import type { Db } from "#db/client.ts";
import { type DetailChanges, updateDetails } from "#db/files/file-details.server.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { saveUnderFreeName } from "#db/files/free-name.server.ts";
import { checkFileName } from "#domain/files/file.ts";
import { mapDetails, parseDetails, pickDetails } from "#domain/files/file-details.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import type { FileActionForm, Verb } from "./form.server.ts";

/** Reads the form about a file. A missing name or folder stays unchanged. */
async function readDetailChanges(
  db: Db,
  ownerId: string,
  form: FileActionForm,
): Promise<DetailChanges | Refusal> {
  const details = parseDetails(mapDetails((name) => form[name] ?? ""));
  if (isRefusal(details)) return details;
  const file_name = form.file_name === undefined ? undefined : checkFileName(form.file_name);
  if (isRefusal(file_name)) return file_name;
  const folder =
    form.folder === undefined ? undefined : await readChosenFolder(db, ownerId, form.folder || ROOT_FOLDER);
  if (isRefusal(folder)) return folder;
  return {
    ...details,
    ...(file_name === undefined ? {} : { file_name }),
    ...(folder === undefined ? {} : { folder_id: folder.id }),
  };
}

/** Actions on one file that lists of files do not have. */
export const SINGLE_VERBS: Record<string, Verb> = {
  duplicate: async ({ services: { db }, ownerId, fileId, now }) => {
    const file = await findFile(db, ownerId, fileId);
    if (!file) return Refusal("file_not_found", { file_id: fileId });
    const { file_name, folder_id } = file;
    const body = await readBody(db, ownerId, file);
    const language = isLanguage(file.language) ? file.language : undefined;
    const copy = { ...pickDetails(file), file_name, folder_id, language, body };
    const result = await saveUnderFreeName(db, ownerId, copy, now);
    if (isRefusal(result)) return result;
    const { id } = result.file;
    const { version } = result;
    return {
      flash: { say: "file_saved", name: result.file.file_name, version, created: [id] },
      goTo: `/file/${id}`,
    };
  },
  describe: async ({ services: { db }, ownerId, fileId, form }) => {
    const before = await findFile(db, ownerId, fileId);
    const changes = await readDetailChanges(db, ownerId, form);
    if (isRefusal(changes)) return changes;
    const file = await updateDetails(db, ownerId, fileId, changes);
    if (isRefusal(file)) return file;
    const undo = before ? toFormerDetails(before) : undefined;
    return { flash: { say: "files_changed", what: "described", count: 1, undo } };
  },
};
