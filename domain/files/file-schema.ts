import { z } from "zod";
import { checkFileName, FILE_NAME_MAX } from "#domain/files/file.ts";
import {
  type DetailName,
  FILE_DETAILS,
  type FileDetails,
  type ListDetail,
  mapDetails,
  NO_DETAILS,
  type TextDetail,
} from "#domain/files/file-details.ts";
import { folderId } from "#domain/files/folders/folder-schema.ts";
import { isLanguage } from "#domain/files/language.ts";
import { boundedText, createShortListSchema, toRefusalText, withRule } from "#domain/schema.ts";
import { listKeys, pickKeys } from "#domain/typed-keys.ts";

/** The schema of a file's fields for imports, exports, answers and OpenAPI. */
export const fileName = withRule(z.string(), checkFileName).meta({ minLength: 1, maxLength: FILE_NAME_MAX });
export const language = z
  .string()
  .refine((name): boolean => isLanguage(name), { message: toRefusalText("unknown_language") });

type DetailSchemas = { [Name in DetailName]: z.ZodType<FileDetails[Name], FileDetails[Name]> };

function createDetailSchema(detail: TextDetail | ListDetail) {
  return "itemMax" in detail
    ? withRule(
        createShortListSchema(z.string().meta({ maxLength: detail.itemMax }), detail.max),
        detail.check,
      )
    : withRule(z.string(), detail.check).meta({ maxLength: detail.max });
}

// The kind of a row decides its schema, which the compiler cannot follow by name.
const details = mapDetails((name) => createDetailSchema(FILE_DETAILS[name])) as DetailSchemas;

type RecordedDetails = {
  [Name in DetailName]: z.ZodType<FileDetails[Name], FileDetails[Name] | undefined>;
};

/** The details in an exported record; older exports lack the newer details. */
export const recordedDetails = mapDetails((name) =>
  details[name].optional().transform((value) => value ?? NO_DETAILS[name]),
) as RecordedDetails; // As above: each keeps the type of its own row.

export const fileFields = z.object({
  file_name: fileName,
  language,
  ...details,
  repo: boundedText(300).nullable(),
  source_url: boundedText(2_000).nullable(),
  version: z.int().min(1),
  is_favorite: z.boolean(),
  is_pinned: z.boolean(),
});

/** Changes to a file that make no new version. Absent fields stay as they are. */
export const detailChanges = z.strictObject({
  file_name: fileName.optional(),
  ...z.object(details).partial().shape,
  language: language.optional(),
  folder_id: folderId.nullable().optional(),
});

export type FileFields = z.output<typeof fileFields>;

export function toFileFields(file: FileFields): FileFields {
  return pickKeys(file, listKeys(fileFields.shape));
}
