import { type FilePath, parseFilePath } from "#domain/files/folders/file-path.ts";
import { checkFolderName } from "#domain/files/folders/folder-tree.ts";
import { findJunkName } from "#domain/files/junk-path.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";
import { isRefusal, type RefusalCode } from "#domain/refusal.ts";

/** A zip that is not an export of ours: its texts become files in the same folders. */
export const CODE_FILES_MAX = 10_000;
/** All files left out are counted, but only this many are listed. */
export const LEFT_OUT_NAMED_MAX = 100;
const PATH_SHOWN = 300;

export type LeftOutReason =
  | "not_text"
  | "too_large"
  | "bad_name"
  | "name_taken"
  | "too_deep"
  | "outside"
  | "duplicate"
  | "not_a_file"
  | "encrypted"
  | "damaged"
  | "no_folder"
  | "may_hold_secrets";
export type LeftOut = { path: string; why: LeftOutReason };

export type CodeReport = {
  /** The path of the folder that receives all files. */
  folder: string;
  left_out: LeftOut[];
  /** Files left out as junk, such as `node_modules`, counted by the name that makes them junk. */
  junk: { name: string; count: number }[];
};

const REASONS: Partial<Record<RefusalCode, LeftOutReason>> = {
  binary_content: "not_text",
  payload_too_large: "too_large",
  invalid_file_name: "bad_name",
  missing_file_name: "bad_name",
  reserved_file_name: "bad_name",
  invalid_folder_name: "bad_name",
  path_with_empty_part: "bad_name",
  path_with_dots: "bad_name",
  path_with_backslash: "bad_name",
  name_of_file: "name_taken",
  name_of_folder: "name_taken",
  folder_too_deep: "too_deep",
  folder_limit: "no_folder",
};

/** Undefined for refusals that are not about the file. */
export const toLeftOutReason = (code: RefusalCode): LeftOutReason | undefined => REASONS[code];

export const showPath = (path: string): string =>
  path.length > PATH_SHOWN ? `${path.slice(0, PATH_SHOWN)}…` : path;

/** An entry of a zip. Null for a directory, because its files are entries too. */
type CodeEntry =
  | { path: string }
  | { path: string; why: LeftOutReason }
  | { path: string; junk: string }
  | null;

/** Decides by its name what happens to an entry. Windows writes backslashes for slashes; `./` is ignored. */
export function parseEntryName(name: string): CodeEntry {
  const path = name
    .normalize("NFC")
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "");
  if (path === "" || path.endsWith("/")) return null;
  if (/^([a-zA-Z]:|\/)/.test(path) || path.split("/").includes("..")) return { path, why: "outside" };
  const junk = findJunkName(path);
  if (junk !== undefined) return { path, junk };
  if (isSecretFile(path)) return { path, why: "may_hold_secrets" };
  const parsed = parseFilePath(path);
  return isRefusal(parsed) ? { path, why: toLeftOutReason(parsed.refused) ?? "bad_name" } : { path };
}

const FALLBACK_FOLDER = "zip";

/**
 * Chooses the folder, below the target folder, for all files of a zip, so that they do not mix with existing files. A zip with
 * a single top folder uses that; otherwise a folder with the zip's name is `added`.
 */
export function chooseFolder(zipName: string, paths: readonly string[]): { name: string; added: string[] } {
  const [top = "", ...others] = new Set(paths.map((path) => path.slice(0, Math.max(0, path.indexOf("/")))));
  if (top !== "" && others.length === 0) return { name: top, added: [] };
  const stem = zipName.normalize("NFC").replace(/\.zip$/i, "");
  const name = isRefusal(checkFolderName(stem)) ? FALLBACK_FOLDER : stem;
  return { name, added: [name] };
}

export function toTargetPath(parentFolders: readonly string[], path: string): FilePath | LeftOutReason {
  const filePath = parseFilePath([...parentFolders, path].join("/"));
  return isRefusal(filePath) ? (toLeftOutReason(filePath.refused) ?? "bad_name") : filePath;
}

export const isZipName = (name: string): boolean => /\.zip$/i.test(name);
