import { isRepositoryName } from "#domain/files/unsafe-name.ts";

const JUNK_FOLDERS = new Set([
  ...[".idea", ".vscode", ".cache", ".venv", ".mypy_cache", ".pytest_cache", ".tox"],
  ...["node_modules", "__pycache__", "venv", "__MACOSX"],
]);
const JUNK_FILES = new Set([".DS_Store", "Thumbs.db", "desktop.ini"]);

/** Folders that tools fill by themselves. */
export const isJunkFolder = (name: string): boolean => JUNK_FOLDERS.has(name) || isRepositoryName(name);

export function findJunkName(path: string): string | undefined {
  const names = path.split("/");
  const file = names.pop() ?? "";
  return names.find(isJunkFolder) ?? (JUNK_FILES.has(file) ? file : undefined);
}
