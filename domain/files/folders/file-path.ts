import { checkFileName, FILE_NAME_REFUSALS } from "#domain/files/file.ts";
import { checkFolderName, FOLDER_DEPTH_MAX } from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal, type RefusalCode } from "#domain/refusal.ts";

export type FilePath = { folders: string[]; file_name: string };

export const FILE_PATH_REFUSALS: readonly RefusalCode[] = [
  ...FILE_NAME_REFUSALS,
  "path_with_backslash",
  "path_with_empty_part",
  "path_with_dots",
  "invalid_folder_name",
  "folder_too_deep",
];

export function parseFilePath(path: string): FilePath | Refusal {
  const names = path.split("/");
  const wrongPart = findPathRefusalCode(path, names.slice(0, -1));
  if (wrongPart) return Refusal(wrongPart);
  const file_name = checkFileName(names.pop());
  if (isRefusal(file_name)) return file_name;
  const folders = parseFolderNames(names);
  return isRefusal(folders) ? folders : { folders, file_name };
}

function findPathRefusalCode(path: string, folders: readonly string[]): RefusalCode | null {
  if (path.includes("\\")) return "path_with_backslash";
  if (folders.some((name) => name.trim() === "")) return "path_with_empty_part";
  return folders.some((name) => name === "." || name === "..") ? "path_with_dots" : null;
}

export function parseFolderNames(names: string[]): string[] | Refusal {
  if (names.length > FOLDER_DEPTH_MAX) return Refusal("folder_too_deep", { max: FOLDER_DEPTH_MAX });
  return names.map(checkFolderName).find(isRefusal) ?? names;
}
