import { z } from "zod";
import { archiveResponse } from "#app/files/archive.server.ts";
import { listFilePage } from "#app/files/file-listing.server.ts";
import { fileQueryOfPage } from "#app/files/file-query.server.ts";
import type { WebServices } from "#app/http/request-context.ts";
import type { Flash } from "#app/http/session/flash.ts";
import { SAMPLE_LIBRARY } from "#app/sample/sample-library.server.ts";
import { setWelcomeSeen } from "#db/accounts/users.server.ts";
import { describeFile, toggleFavorite, togglePin } from "#db/files/marks.server.ts";
import { addSample } from "#db/files/sample.server.ts";
import { addTags, listChosen, setFavorites } from "#db/files/selection.server.ts";
import { emptyTrash, purgeFile, restoreDeletion, restoreFile, trashFiles } from "#db/files/trash.server.ts";
import { createLink } from "#db/shares/shares.server.ts";
import { checkTagList, checkTags } from "#domain/files/file.ts";
import { mapDetails, parseDetails } from "#domain/files/file-details.ts";
import { SELECTION_MAX } from "#domain/files/selection.ts";
import { checkSelection } from "#domain/files/selection-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { SHARE_DAYS } from "#domain/shares/share.ts";

/**
 * Every form that looks after files sends its intent here; a button of one row adds that row's id to it
 * (`star:<id>`), so that it works inside the form of all rows. The verbs are those of the JSON API.
 */
const listed = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : [value].flat()));

const EVERY_MAX = 2_000;

export const fileActionForm = z.object({
  intent: z.string().max(60),
  file_ids: listed,
  /** The query of a list, of which all files are meant, as many as a selection has. */
  every: z.string().max(EVERY_MAX).optional(),
  ...mapDetails(() => z.string().optional()),
  at: z.coerce.number().int().min(0).max(8.64e15).optional(),
  next: z.string().optional(),
});

type FileActionForm = z.output<typeof fileActionForm>;
type FileActionRequest = {
  services: WebServices;
  ownerId: string;
  form: FileActionForm;
  fileId: string;
  now: Date;
};
export type FileActionResult = { flash?: Flash; goTo?: string } | Refusal | Response;
type Verb = (asked: FileActionRequest) => Promise<FileActionResult>;
type FileChange = Extract<Flash, { say: "files_changed" }>["what"];

const said = (what: FileChange, count: number, name?: string): { flash: Flash } => ({
  flash: { say: "files_changed", what, count, name },
});

/** A verb over the rows that were chosen. */
const overChosen =
  (verb: (asked: FileActionRequest, fileIds: string[]) => Promise<FileActionResult>): Verb =>
  async (asked) => {
    const chosen =
      asked.form.every === undefined ? asked.form.file_ids : await listEvery(asked, asked.form.every);
    const fileIds = isRefusal(chosen) ? chosen : checkSelection(chosen);
    return isRefusal(fileIds) ? fileIds : verb(asked, fileIds);
  };

/** The files of a list on all its pages, from the first on. */
async function listEvery(
  { services: { db }, ownerId }: FileActionRequest,
  every: string,
): Promise<string[] | Refusal> {
  const query = fileQueryOfPage(new URL(`http://list/${every}`), "created_at_desc");
  if (isRefusal(query)) return query;
  const { cursor: _, before: __, ...list } = query;
  const page = await listFilePage(db, ownerId, { ...list, limit: SELECTION_MAX });
  return isRefusal(page) ? page : page.files.map(({ id }) => id);
}

const favored = (isFavorite: boolean) =>
  overChosen(async ({ services: { db }, ownerId }, fileIds) => {
    const count = await setFavorites(db, ownerId, fileIds, isFavorite);
    return isRefusal(count) ? count : said(isFavorite ? "favored" : "unfavored", count);
  });

const trashed = async (
  { services: { db }, ownerId, now }: FileActionRequest,
  fileIds: string[],
): Promise<FileActionResult> => {
  const files = await listChosen(db, ownerId, fileIds);
  const deletion = await trashFiles(db, ownerId, fileIds, now);
  if (isRefusal(deletion)) return deletion;
  const name = !isRefusal(files) && files.length === 1 ? files[0]?.file_name : undefined;
  return {
    flash: { say: "files_trashed", count: deletion.deleted, at: deletion.deleted_at.getTime(), name },
  };
};

const VERBS: Record<string, Verb> = {
  favorite: favored(true),
  unfavorite: favored(false),
  tag: overChosen(async ({ services: { db }, ownerId, form }, fileIds) => {
    const typed = checkTags(form.tags ?? "");
    const tags = isRefusal(typed) ? typed : checkTagList(typed);
    if (isRefusal(tags)) return tags;
    const count = await addTags(db, ownerId, fileIds, tags);
    return isRefusal(count) ? count : said("tagged", count);
  }),
  zip: overChosen(async ({ services: { db }, ownerId, now }, fileIds) => {
    const files = await listChosen(db, ownerId, fileIds);
    return isRefusal(files) ? files : archiveResponse(db, ownerId, files, now);
  }),
  share: overChosen(async ({ services: { db }, ownerId, now }, fileIds) => {
    const link = await createLink(db, ownerId, fileIds, SHARE_DAYS, now, { isPressed: true });
    if (isRefusal(link)) return link;
    const [first, ...others] = link.files;
    const name = others.length === 0 ? first?.file_name : undefined;
    return { flash: { say: "shared", count: link.files.length, name }, goTo: `/shares?made=${link.id}` };
  }),
  delete: overChosen(trashed),
  trash: async (asked) => {
    const fileIds = checkSelection([asked.fileId]);
    return isRefusal(fileIds) ? fileIds : trashed(asked, fileIds);
  },
  star: async ({ services: { db }, ownerId, fileId }) => {
    const file = await toggleFavorite(db, ownerId, fileId);
    return isRefusal(file) ? file : said(file.is_favorite ? "favored" : "unfavored", 1);
  },
  pin: async ({ services: { db }, ownerId, fileId }) => {
    const file = await togglePin(db, ownerId, fileId);
    return isRefusal(file) ? file : said(file.is_pinned ? "pinned" : "unpinned", 1);
  },
  describe: async ({ services: { db }, ownerId, fileId, form }) => {
    const details = parseDetails(mapDetails((name) => form[name] ?? ""));
    if (isRefusal(details)) return details;
    const file = await describeFile(db, ownerId, fileId, details);
    return isRefusal(file) ? file : said("described", 1);
  },
  restore: async ({ services: { db }, ownerId, fileId, now }) => {
    const file = await restoreFile(db, ownerId, fileId, now);
    return isRefusal(file) ? file : said("restored", 1, file.file_name);
  },
  undo: async ({ services: { db }, ownerId, form, now }) => {
    const restored = await restoreDeletion(db, ownerId, new Date(form.at ?? 0), now);
    if (restored.length === 0) return Refusal("file_not_found");
    const name = restored.length === 1 ? restored[0]?.file_name : undefined;
    return said("restored", restored.length, name);
  },
  purge: async ({ services: { db }, ownerId, fileId, now }) => {
    const purged = await purgeFile(db, ownerId, fileId, now);
    return isRefusal(purged) ? purged : said("purged", 1);
  },
  sample: async ({ services: { db, env }, ownerId, now }) => {
    if (!env.localSignIn) return Refusal("not_found");
    const added = await addSample(db, ownerId, SAMPLE_LIBRARY, now);
    if (isRefusal(added)) return added;
    // Whoever has taken the tour's offer needs no tour.
    await setWelcomeSeen(db, ownerId);
    return said("sampled", SAMPLE_LIBRARY.length);
  },
  empty: async ({ services: { db }, ownerId, now }) => said("emptied", await emptyTrash(db, ownerId, now)),
};

export async function runFileAction(
  services: WebServices,
  ownerId: string,
  form: FileActionForm,
): Promise<FileActionResult> {
  const [name = "", fileId = ""] = form.intent.split(":");
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!verb) return Refusal("invalid_payload", { field: "intent" });
  return verb({ services, ownerId, form, fileId, now: services.clock() });
}

/** Back to where the form was. */
export function pageAfter({ next }: FileActionForm): string {
  return sameSitePath(next, "/files");
}
