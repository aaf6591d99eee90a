import { z } from "zod";
import { checkTagList, TAG_LIMITS } from "#domain/files/file.ts";
import { folderId } from "#domain/files/folders/folder-schema.ts";
import { isFileId, SELECTION_MAX } from "#domain/files/selection.ts";
import { TRASH_DAYS } from "#domain/files/trash.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import { checkBySchema, cutList, toRefusalText, withRule } from "#domain/schema.ts";
import { isObject } from "#domain/typed-keys.ts";
import { opaqueId } from "#domain/wire-shapes.ts";

const NO_FILES = toRefusalText("no_files");
const NO_FILE_ID = toRefusalText("invalid_file_id");

export const SELECTION_REFUSALS = [
  "no_files",
  "invalid_file_id",
  "too_many_files",
  "files_not_found",
] as const;

const isNothing = (input: unknown) => input === undefined || input === null;

const file_ids = z
  .array(
    z
      .string(NO_FILE_ID)
      .refine(isFileId, NO_FILE_ID)
      .meta(opaqueId.meta() ?? {}),
    {
      error: ({ input }) => (isNothing(input) ? NO_FILES : NO_FILE_ID),
    },
  )
  .min(1, NO_FILES)
  .max(SELECTION_MAX, toRefusalText("too_many_files", { max: SELECTION_MAX }));

/** Removes duplicate ids, and cuts a list that is too long right after the limit so that the check stays cheap. */
function dedupeFileIds(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body.file_ids)) return body;
  return cutList("file_ids", { max: SELECTION_MAX })({ ...body, file_ids: [...new Set(body.file_ids)] });
}

export function createSelectionSchema<Shape extends z.ZodRawShape>(shape: Shape, prepare = dedupeFileIds) {
  return z.preprocess(prepare, z.object({ file_ids, ...shape }, toRefusalText("invalid_payload")));
}

export const fileSelection = createSelectionSchema({});

export function checkSelection(ids: unknown): string[] | Refusal {
  const selection = checkBySchema(fileSelection, { file_ids: ids });
  return isRefusal(selection) ? selection : selection.file_ids;
}

const NO_TAGS = toRefusalText("no_tags");
const WRONG_TAGS = toRefusalText("invalid_tags", TAG_LIMITS);

const tags = withRule(
  z
    .array(z.string(WRONG_TAGS), { error: ({ input }) => (isNothing(input) ? NO_TAGS : WRONG_TAGS) })
    .min(1, NO_TAGS),
  checkTagList,
);
const isString = (tag: unknown) => typeof tag === "string";

export const filesToTag = createSelectionSchema({ tags }, (body) =>
  cutList("tags", { fits: isString })(dedupeFileIds(body)),
);

const WRONG_DAYS = toRefusalText("invalid_payload", {
  message: `Send 1 to ${TRASH_DAYS} days.`,
  field: "ttl_days",
});

export const filesToTrash = createSelectionSchema({
  ttl_days: z.int(WRONG_DAYS).min(1).max(TRASH_DAYS).nullish(),
});

export const filesToMove = createSelectionSchema({ folder_id: folderId.nullable() });
