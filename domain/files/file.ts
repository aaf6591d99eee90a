import { eachTagOnce } from "#domain/files/tags.ts";
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
/** Larger versions are not compared. */
export const COMPARE_MAX_BYTES = 1024 * 1024;

export const FILE_SORTS = [
  ...(["created_at_desc", "created_at_asc", "updated_at_desc", "updated_at_asc"] as const),
  ...(["name_asc", "name_desc", "size_desc", "size_asc"] as const),
] as const;
/** A list is rows, or cards with the first lines of each file. */
export const FILE_VIEWS = ["rows", "cards"] as const;
export type FileView = (typeof FILE_VIEWS)[number];
export type FileSort = (typeof FILE_SORTS)[number];

/** The refusals of `checkFileName`. */
export const FILE_NAME_REFUSALS = ["missing_file_name", "reserved_file_name", "invalid_file_name"] as const;

/** A name must not be a path: no separators, control characters or lone surrogates, and neither `.` nor `..`. */
export function checkFileName(name: unknown): string | Refusal {
  if (typeof name === "string" && name.trim() === "") return Refusal("missing_file_name");
  if (name === "." || name === "..") return Refusal("reserved_file_name");
  const length = typeof name === "string" ? codePoints(name) : 0;
  const good =
    typeof name === "string" &&
    length <= FILE_NAME_MAX &&
    !/[/\\]/.test(name) &&
    !hasControlCharacters(name) &&
    name.isWellFormed();
  return good ? name : Refusal("invalid_file_name");
}

/** The text of a file exactly as given, or why it cannot be one. */
export function checkBody(body: string): string | Refusal {
  if (utf8Bytes(body) > BODY_MAX_BYTES) return Refusal("payload_too_large", { max: BODY_MAX_BYTES });
  if (body.includes("\0") || !body.isWellFormed()) return Refusal("binary_content");
  return body;
}

/** Bytes that are not UTF-8 are refused rather than stored as something that would download differently. */
export function decodeBody(bytes: Uint8Array): string | Refusal {
  if (bytes.byteLength > BODY_MAX_BYTES) return Refusal("payload_too_large", { max: BODY_MAX_BYTES });
  try {
    return checkBody(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return Refusal("binary_content");
  }
}

/** A final newline ends the last line and does not begin another. */
export function countLines(body: string): number {
  if (body === "") return 0;
  let lines = body.endsWith("\n") ? 0 : 1;
  for (let at = body.indexOf("\n"); at >= 0; at = body.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

export function checkDescription(text: string): string | Refusal {
  const description = text.trim();
  if (codePoints(description) > DESCRIPTION_MAX)
    return Refusal("description_too_long", { max: DESCRIPTION_MAX });
  return description.isWellFormed() ? description : Refusal("invalid_description");
}

/** Tags as people type them, separated by commas or lines. A leading # is removed; tags that differ only in case are kept once. */
export function checkTags(text: string): string[] | Refusal {
  return goodTags(text.split(/[,\n]/));
}

/** Tags as a list, by the same rules. An empty list is refused. */
export function checkTagList(given: string[]): string[] | Refusal {
  if (given.some((tag) => /[,\n]/.test(tag))) return invalidTags();
  const tags = goodTags(given);
  return Array.isArray(tags) && tags.length === 0 ? Refusal("no_tags") : tags;
}

function goodTags(typed: string[]): string[] | Refusal {
  const cleaned = typed.map((tag) => tag.replace(/^[#\s]+/, "").trimEnd());
  const tags = eachTagOnce(cleaned.filter((tag) => tag !== ""));
  const isTag = (tag: string) =>
    codePoints(tag) <= TAG_MAX && !hasControlCharacters(tag) && tag.isWellFormed();
  const good = tags.length <= TAGS_MAX && tags.every(isTag);
  return good ? tags : invalidTags();
}

const invalidTags = () => Refusal("invalid_tags", TAG_LIMITS);
