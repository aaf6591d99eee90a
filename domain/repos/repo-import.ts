import { FILE_NAME_MAX } from "#domain/files/file.ts";
import type { FilePath } from "#domain/files/folders/file-path.ts";
import { FOLDER_DEPTH_MAX } from "#domain/files/folders/folder-tree.ts";

export const IMPORT_FILES_MAX = 2_000;
export const IMPORT_BYTES_MAX = 20 * 1024 * 1024;

/** Returns the target of a mirror's file: folders named after the mirror, then its path. Too deep files go into the deepest folder. */
export function toLibraryPath(repoName: string, path: string): FilePath {
  const names = [...repoName.split("/"), ...path.split("/")].map(toPlainName);
  const file_name = names.pop() ?? "";
  return { folders: names.slice(0, FOLDER_DEPTH_MAX), file_name };
}

/** Git allows names that the library does not. */
function toPlainName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a path may have them, a name may not
  const cleaned = name.replace(/[\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "_").toWellFormed();
  const shortened = [...cleaned].slice(-FILE_NAME_MAX).join("");
  return shortened.trim() === "" ? "_".repeat(shortened.length) : shortened;
}
