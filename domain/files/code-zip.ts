import { findJunk } from "#domain/files/junk-path.ts";
import { type FilePath, parseFilePath } from "#domain/folders/file-path.ts";
import { checkFolderName } from "#domain/folders/folder-tree.ts";
import { isRefusal, type RefusalCode } from "#domain/refusal.ts";

/** A zip that is no export of ours: its texts become files, in the folders that they are in there. */
export const CODE_FILES_MAX = 10_000;
/** So many of the files that stay out are named; all are counted. */
export const LEFT_OUT_NAMED_MAX = 100;
const PATH_SHOWN = 300;

export const LEFT_OUT_REASONS = [
  "not_text",
  "too_large",
  "bad_name",
  "name_taken",
  "too_deep",
  "outside",
  "duplicate",
  "not_a_file",
  "encrypted",
  "damaged",
  "no_folder",
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];
export type LeftOut = { path: string; why: LeftOutReason };

export type CodeReport = {
  /** The folder that all files go to, as a path; empty where they go to several at the root. */
  folder: string;
  left_out: LeftOut[];
  /** What nobody wants to keep, by the name of the folder or file that it is. */
  junk: { name: string; count: number }[];
};

/** Why a file that the library refuses stays out. */
const REASONS: Partial<Record<RefusalCode, LeftOutReason>> = {
  binary_content: "not_text",
  payload_too_large: "too_large",
  invalid_file_name: "bad_name",
  invalid_folder_name: "bad_name",
  name_of_file: "name_taken",
  name_of_folder: "name_taken",
  folder_too_deep: "too_deep",
  folder_limit: "no_folder",
};

/** Undefined for a refusal that is not about the file. */
export const toLeftOutReason = (code: RefusalCode): LeftOutReason | undefined => REASONS[code];

export const showPath = (path: string): string =>
  path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN)}…` : path;

/** Where an entry lies. Null for a directory; its files come by themselves. */
export type CodeEntry =
  | { path: string }
  | { path: string; why: LeftOutReason }
  | { path: string; junk: string }
  | null;

/** What becomes of an entry by its name alone. Windows writes backslashes, and `./` means nothing. */
export function readEntryName(name: string): CodeEntry {
  const path = name
    .normalize("NFC")
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "");
  if (path === "" || path.endsWith("/")) return null;
  if (/^([a-zA-Z]:|\/)/.test(path) || path.split("/").includes("..")) return { path, why: "outside" };
  const junk = findJunk(path);
  if (junk !== undefined) return { path, junk };
  const parsed = parseFilePath(path);
  return isRefusal(parsed) ? { path, why: toLeftOutReason(parsed.refused) ?? "bad_name" } : { path };
}

const FALLBACK_FOLDER = "zip";

/**
 * The folder that the files of a zip go to below the chosen one: none where the zip has one folder with everything in it, else one with the
 * name of the zip, so that they do not mix with what is there.
 */
export function chooseFolder(zipName: string, paths: Iterable<string>): string[] {
  const tops = new Set<string>();
  for (const path of paths) {
    const end = path.indexOf("/");
    tops.add(end < 0 ? "" : path.slice(0, end));
    if (tops.size > 1) break;
  }
  if (tops.size === 1 && !tops.has("")) return [];
  const stem = zipName.normalize("NFC").replace(/\.zip$/i, "");
  return [isRefusal(checkFolderName(stem)) ? FALLBACK_FOLDER : stem];
}

/** A file of the zip at its place in the library. */
export function placeFile(below: readonly string[], path: string): FilePath | LeftOutReason {
  const placed = parseFilePath([...below, path].join("/"));
  return isRefusal(placed) ? (toLeftOutReason(placed.refused) ?? "bad_name") : placed;
}

export const isZipName = (name: string): boolean => /\.zip$/i.test(name);
