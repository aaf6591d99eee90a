import { dedupeTags } from "#domain/files/tags.ts";
import { Refusal } from "#domain/refusal.ts";
import { codePoints, hasControlCharacters, utf8Bytes } from "#domain/text/text.ts";

export const FILE_NAME_MAX = 255;
export const BODY_MAX_BYTES = 2 * 1024 * 1024;
export const DESCRIPTION_MAX = 500;
export const TAGS_MAX = 20;
export const TAG_MAX = 50;
export const TAG_LIMITS = { max_tags: TAGS_MAX, max_length: TAG_MAX } as const;
export const FILES_PAGE_SIZE = 20;
export const FILES_LIMIT_MAX = 100;
/** Larger versions cannot be compared. */
export const COMPARE_MAX_BYTES = 1024 * 1024;

export const FILE_SORTS = [
  ...(["created_at_desc", "created_at_asc", "updated_at_desc", "updated_at_asc"] as const),
  ...(["name_asc", "name_desc", "size_desc", "size_asc"] as const),
] as const;
export const FILE_VIEWS = ["rows", "cards"] as const;
export type FileView = (typeof FILE_VIEWS)[number];
export type FileSort = (typeof FILE_SORTS)[number];

export const FILE_NAME_REFUSALS = ["missing_file_name", "reserved_file_name", "invalid_file_name"] as const;

/** A name must not be a path: no separators, control characters or lone surrogates, and neither `.` nor `..`. */
export function checkFileName(name: unknown): string | Refusal {
  if (typeof name === "string" && name.trim() === "") return Refusal("missing_file_name");
  if (name === "." || name === "..") return Refusal("reserved_file_name");
  const length = typeof name === "string" ? codePoints(name) : 0;
  const isValid =
    typeof name === "string" &&
    length <= FILE_NAME_MAX &&
    !/[/\\]/.test(name) &&
    !hasControlCharacters(name) &&
    name.isWellFormed();
  return isValid ? name : Refusal("invalid_file_name");
}

/** Returns the text unchanged, or a refusal. */
export function checkBody(body: string): string | Refusal {
  if (utf8Bytes(body) > BODY_MAX_BYTES) return Refusal("payload_too_large", { max: BODY_MAX_BYTES });
  if (body.includes("\0") || !body.isWellFormed()) return Refusal("binary_content");
  return body;
}

/** Refuses bytes that are not UTF-8, because they would download differently. */
export function decodeBody(bytes: Uint8Array): string | Refusal {
  if (bytes.byteLength > BODY_MAX_BYTES) return Refusal("payload_too_large", { max: BODY_MAX_BYTES });
  try {
    return checkBody(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return Refusal("binary_content");
  }
}

/** A final newline does not begin another line. */
export function countLines(body: string): number {
  if (body === "") return 0;
  let lines = body.endsWith("\n") ? 0 : 1;
  for (let index = body.indexOf("\n"); index >= 0; index = body.indexOf("\n", index + 1)) lines += 1;
  return lines;
}

export function checkDescription(text: string): string | Refusal {
  const description = text.trim();
  if (codePoints(description) > DESCRIPTION_MAX)
    return Refusal("description_too_long", { max: DESCRIPTION_MAX });
  return description.isWellFormed() ? description : Refusal("invalid_description");
}

/** Parses typed tags, separated by commas or lines. A leading # is removed; tags that differ only in case are merged. */
export function checkTags(text: string): string[] | Refusal {
  return cleanTags(text.split(/[,\n]/));
}

/** Like `checkTags` for a list, but an empty list is refused. */
export function checkTagList(typedTags: string[]): string[] | Refusal {
  if (typedTags.some((tag) => /[,\n]/.test(tag))) return refuseTags();
  const tags = cleanTags(typedTags);
  return Array.isArray(tags) && tags.length === 0 ? Refusal("no_tags") : tags;
}

function cleanTags(typed: string[]): string[] | Refusal {
  const trimmedTags = typed.map((tag) => tag.replace(/^[#\s]+/, "").trimEnd());
  const tags = dedupeTags(trimmedTags.filter((tag) => tag !== ""));
  const isTag = (tag: string) =>
    codePoints(tag) <= TAG_MAX && !hasControlCharacters(tag) && tag.isWellFormed();
  const areValid = tags.length <= TAGS_MAX && tags.every(isTag);
  return areValid ? tags : refuseTags();
}

const refuseTags = () => Refusal("invalid_tags", TAG_LIMITS);
