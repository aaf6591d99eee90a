import { z } from "zod";
import {
  checkDescription,
  checkFileName,
  checkTagList,
  DESCRIPTION_MAX,
  TAG_MAX,
  TAGS_MAX,
} from "#domain/files/file.ts";
import type { FileDetails } from "#domain/files/file-details.ts";
import { isLanguage } from "#domain/files/language.ts";
import { isFolderId } from "#domain/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { createShortList, refuseWith, withRule } from "#domain/schema.ts";
import { codePoints, hasControlCharacters } from "#domain/text/text.ts";
import { listKeys } from "#domain/typed-keys.ts";

/** The fields of a file. Imports are checked by them; exports, answers and the API's document are made of them. */
export const text = (max: number) =>
  z.string().refine((value) => value.isWellFormed() && codePoints(value) <= max, { message: "is too long" });

export const fileName = z
  .string()
  .refine((name) => !isRefusal(checkFileName(name)), { message: "is not a file name" });
export const language = z
  .string()
  .refine((name): boolean => isLanguage(name), { message: "is not a known language" });

const tag = text(TAG_MAX).refine((value) => value !== "" && !hasControlCharacters(value));

const details = {
  description: withRule(text(DESCRIPTION_MAX), checkDescription),
  tags: createShortList(tag, TAGS_MAX),
} satisfies Record<keyof FileDetails, z.ZodType>;

export const fileFields = z.object({
  file_name: fileName,
  language,
  ...details,
  repo: text(300).nullable(),
  source_url: text(2_000).nullable(),
  version: z.int().min(1),
  is_favorite: z.boolean(),
  is_pinned: z.boolean(),
});

export const folderId = z.string().refine(isFolderId, { message: "is not a folder id" });

const tagList = withRule(createShortList(z.string(), TAGS_MAX), (tags) =>
  tags.length === 0 ? tags : checkTagList(tags),
);

const typedDetails = {
  description: withRule(z.string(), checkDescription).optional(),
  tags: tagList.optional(),
} satisfies Record<keyof FileDetails, z.ZodType>;

/** What may be changed about a file without a new version. What is left out stays. */
export const detailChanges = z.strictObject({
  file_name: withRule(z.string(), checkFileName).optional(),
  ...typedDetails,
  language: z
    .string()
    .refine((name): boolean => isLanguage(name), { message: refuseWith("unknown_language") })
    .optional(),
  folder_id: folderId.nullable().optional(),
});

export type FileFields = z.output<typeof fileFields>;

export function toFileFields(file: FileFields): FileFields {
  const names = listKeys(fileFields.shape);
  return Object.fromEntries(names.map((name) => [name, file[name]])) as FileFields;
}
