import type { ActionFunctionArgs } from "@remix-run/node";
import { answerArchive } from "#app/files/archive.server.ts";
import { NEW_FOLDER } from "#app/files/folders/folder-field.tsx";
import { readChosenFolder } from "#app/files/folders/listed-folder.server.ts";
import { listFilePage } from "#app/files/list/file-listing.server.ts";
import { parsePageQuery } from "#app/files/list/file-query.server.ts";
import { createSampleFiles, GUIDE_NAME } from "#app/sample/sample-library.server.ts";
import { shareUrl } from "#app/shares/share-wire.server.ts";
import { VIEWS } from "#app/viewers/views.ts";
import { offerUndo } from "#app/web/session/flash.ts";
import { toPublicOrigin } from "#app/web/session/oidc/oidc-login.server.ts";
import { setWelcomeSeen } from "#db/accounts/users.server.ts";
import { findFileByName } from "#db/files/file-records.server.ts";
import { moveFiles } from "#db/files/folders/folder-files.server.ts";
import { createFolder, readFolders } from "#db/files/folders/folders.server.ts";
import { toggleFavorite, togglePin } from "#db/files/marks.server.ts";
import { addSampleFiles } from "#db/files/sample.server.ts";
import { addTags, listChosenFiles, setFavorites } from "#db/files/selection.server.ts";
import { trashFiles } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash, purgeFile } from "#db/files/trash/file-removal.server.ts";
import { restoreDeletion, restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { createLink } from "#db/shares/shares.server.ts";
import { checkTagList, checkTags } from "#domain/files/file.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { findChild } from "#domain/files/folders/folder-tree.ts";
import { SELECTION_MAX } from "#domain/files/selection.ts";
import { checkSelection } from "#domain/files/selection-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { SHARE_DAYS } from "#domain/shares/share.ts";
import { FOLDER_VERBS } from "./folder-verbs.server.ts";
import type { FileActionForm, FileActionRequest, FileActionResult, FileChange, Verb } from "./form.server.ts";
import { SINGLE_VERBS } from "./single-verbs.server.ts";

const toResult = (what: FileChange, count: number, name?: string): FileActionResult => ({
  flash: { say: "files_changed", what, count, name },
});

/** Makes a verb that acts on the selected files, or on the whole list if `every` is set. */
const createSelectionVerb =
  (verb: (action: FileActionRequest, fileIds: string[]) => Promise<FileActionResult>): Verb =>
  async (action) => {
    const chosen =
      action.form.every === undefined ? action.form.file_ids : await listWholeList(action, action.form.every);
    const fileIds = isRefusal(chosen) ? chosen : checkSelection(chosen);
    return isRefusal(fileIds) ? fileIds : verb(action, fileIds);
  };

/** Returns the ids of all files of a list, from its first page up to the limit of a selection. */
async function listWholeList(
  { services: { db }, ownerId }: FileActionRequest,
  every: string,
): Promise<string[] | Refusal> {
  const query = parsePageQuery(new URL(`http://list/${every}`), "created_at_desc");
  if (isRefusal(query)) return query;
  const { cursor: _, before: __, ...list } = query;
  const page = await listFilePage(db, ownerId, { ...list, limit: SELECTION_MAX });
  return isRefusal(page) ? page : page.files.map(({ id }) => id);
}

const createFavoriteVerb = (isFavorite: boolean) =>
  createSelectionVerb(async ({ services: { db }, ownerId }, fileIds) => {
    const count = await setFavorites(db, ownerId, fileIds, isFavorite);
    return isRefusal(count) ? count : toResult(isFavorite ? "favored" : "unfavored", count);
  });

const trashAndOfferUndo = async (
  { services: { db }, ownerId, now }: FileActionRequest,
  fileIds: string[],
): Promise<FileActionResult> => {
  const files = await listChosenFiles(db, ownerId, fileIds);
  const deletion = await trashFiles(db, ownerId, fileIds, now);
  if (isRefusal(deletion)) return deletion;
  const name = !isRefusal(files) && files.length === 1 ? files[0]?.file_name : undefined;
  return {
    flash: { say: "files_trashed", count: deletion.deleted, at: deletion.deleted_at.getTime(), name },
  };
};

const moveToFolder = async (
  action: FileActionRequest,
  chosen: string[],
  input: string | undefined,
  goTo?: string,
): Promise<FileActionResult> => {
  const { ownerId, services } = action;
  const { db } = services;
  const fileIds = checkSelection(chosen);
  if (isRefusal(fileIds)) return fileIds;
  const before = await listChosenFiles(db, ownerId, fileIds);
  if (isRefusal(before)) return before;
  const folder =
    input === NEW_FOLDER ? await findOrCreateFolder(action) : await readChosenFolder(db, ownerId, input);
  if (isRefusal(folder)) return folder;
  const count = await moveFiles(db, ownerId, fileIds, folder.id);
  if (isRefusal(count)) return count;
  const places = before.map(({ id, folder_id }) => `${id}:${folder_id ?? ROOT_FOLDER}`);
  return { flash: { say: "files_moved", count, name: folder.name, moved: offerUndo(places) }, goTo };
};

async function findOrCreateFolder({ services: { db }, ownerId, form, now }: FileActionRequest) {
  const parent = await readChosenFolder(db, ownerId, form.parent);
  if (isRefusal(parent)) return parent;
  const name = (form.name ?? "").trim();
  const existingFolder = findChild(await readFolders(db, ownerId), parent.id, name);
  return existingFolder ?? createFolder(db, ownerId, { name, parent_id: parent.id }, now);
}

/** Moves files back, one folder after another. It stops at the first refusal; files moved back before that stay there. */
const moveBack: Verb = async ({ services: { db }, ownerId, form }) => {
  const places = form.moved.map((entry) => entry.split(":"));
  const fileIds = checkSelection(places.map(([id]) => id));
  if (isRefusal(fileIds)) return fileIds;
  const entriesByFolder = Map.groupBy(places, ([, folder]) => folder ?? ROOT_FOLDER);
  for (const [input, files] of entriesByFolder) {
    const folder = await readChosenFolder(db, ownerId, input);
    if (isRefusal(folder)) return folder;
    const ids = files.flatMap(([id]) => (id === undefined ? [] : [id]));
    const count = await moveFiles(db, ownerId, ids, folder.id);
    if (isRefusal(count)) return count;
  }
  return toResult("moved_back", fileIds.length);
};

const tagSelection = createSelectionVerb(async ({ services: { db }, ownerId, form }, fileIds) => {
  const typedTags = checkTags(form.tags ?? "");
  const tags = isRefusal(typedTags) ? typedTags : checkTagList(typedTags);
  if (isRefusal(tags)) return tags;
  const count = await addTags(db, ownerId, fileIds, tags);
  return isRefusal(count) ? count : toResult("tagged", count);
});

const moveSelection = createSelectionVerb((action, fileIds) =>
  moveToFolder(action, fileIds, action.form.folder),
);

const VERBS: Record<string, Verb> = {
  ...FOLDER_VERBS,
  ...SINGLE_VERBS,
  favorite: createFavoriteVerb(true),
  unfavorite: createFavoriteVerb(false),
  tag: tagSelection,
  // Sent by pressing Enter in the field for a new folder or for tags.
  return: (action) =>
    (action.form.folder === NEW_FOLDER && !action.form.tags ? moveSelection : tagSelection)(action),
  zip: createSelectionVerb(async ({ services: { db }, ownerId, now }, fileIds) => {
    const files = await listChosenFiles(db, ownerId, fileIds);
    return isRefusal(files) ? files : answerArchive(db, ownerId, files, now);
  }),
  share: createSelectionVerb(async ({ request, services: { db }, ownerId, now }, fileIds) => {
    const link = await createLink(db, ownerId, fileIds, SHARE_DAYS, now, { isPressed: true });
    if (isRefusal(link)) return link;
    const [first, ...others] = link.files;
    const name = others.length === 0 ? first?.file_name : undefined;
    const url = shareUrl(request, link);
    return { flash: { say: "shared", count: link.files.length, name, url } };
  }),
  move: async (action) => {
    // The quick search box names one file and its folder in the intent.
    const { fileId, placeId } = action;
    if (placeId !== "") return moveToFolder(action, [fileId], placeId, `/file/${fileId}`);
    return moveSelection(action);
  },
  "move-back": moveBack,
  delete: createSelectionVerb(trashAndOfferUndo),
  trash: async (action) => {
    const fileIds = checkSelection([action.fileId]);
    return isRefusal(fileIds) ? fileIds : trashAndOfferUndo(action, fileIds);
  },
  star: async ({ services: { db }, ownerId, fileId }) => {
    const file = await toggleFavorite(db, ownerId, fileId);
    return isRefusal(file) ? file : toResult(file.is_favorite ? "favored" : "unfavored", 1);
  },
  pin: async ({ services: { db }, ownerId, fileId }) => {
    const file = await togglePin(db, ownerId, fileId);
    return isRefusal(file) ? file : toResult(file.is_pinned ? "pinned" : "unpinned", 1);
  },
  restore: async ({ services: { db }, ownerId, fileId, now }) => {
    const file = await restoreFile(db, ownerId, fileId, now);
    return isRefusal(file) ? file : toResult("restored", 1, file.file_name);
  },
  undo: async ({ services: { db }, ownerId, form, now }) => {
    const restoredFiles = await restoreDeletion(db, ownerId, new Date(form.at ?? 0), now);
    if (restoredFiles.length === 0) return Refusal("file_not_found");
    const name = restoredFiles.length === 1 ? restoredFiles[0]?.file_name : undefined;
    return toResult("restored", restoredFiles.length, name);
  },
  purge: async ({ services: { db }, ownerId, fileId, now }) => {
    const result = await purgeFile(db, ownerId, fileId, now);
    return isRefusal(result) ? result : toResult("purged", 1);
  },
  sample: async ({ request, services, locale, ownerId, now }) => {
    const { db, env } = services;
    if (!env.localSignIn) return Refusal("not_found");
    const sample = createSampleFiles(toPublicOrigin({ services }, request), await locale());
    const result = await addSampleFiles(db, ownerId, sample, now);
    if (isRefusal(result)) return result;
    // The welcome offers the sample files, so it need not be shown again.
    await setWelcomeSeen(db, ownerId);
    const guide = await findFileByName(db, ownerId, GUIDE_NAME);
    const goTo = guide?.language === "markdown" ? VIEWS.markdown(guide.id) : undefined;
    return { flash: { say: "files_changed", what: "sampled", count: sample.length }, goTo };
  },
  empty: async ({ services: { db }, ownerId, now }) =>
    toResult("emptied", await emptyTrash(db, ownerId, now)),
};

export async function runFileAction(
  { request, context: { services, locale } }: ActionFunctionArgs,
  { id: ownerId, timezone: ownZone }: { id: string; timezone: string | null },
  form: FileActionForm,
): Promise<FileActionResult> {
  const [name = "", fileId = "", placeId = ""] = form.intent.split(":");
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!verb) return Refusal("invalid_payload", { field: "intent" });
  return verb({ request, services, locale, ownerId, ownZone, form, fileId, placeId, now: services.clock() });
}

export function toNextPage({ next }: FileActionForm): string {
  return sameSitePath(next, "/files");
}
