import { findJunkName, isJunkFolder } from "#domain/files/junk-path.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";

/** `path` is relative to the chosen folder's parent: `lib/a.py`. `file` is null if it cannot be read. */
export type FolderFile = { path: string; file: File | null };
/** `skipped` counts junk by the name of its folder or file; `secrets` are the paths of files that may hold secrets. Neither is uploaded. */
export type FolderFiles = {
  files: FolderFile[];
  skipped: Map<string, number>;
  secrets: string[];
  isOverfull: boolean;
};

export const FOLDER_FILES_MAX = 2_000;

class Collection implements FolderFiles {
  readonly files: FolderFile[] = [];
  readonly skipped = new Map<string, number>();
  readonly secrets: string[] = [];
  isOverfull = false;

  add(path: string, file: File | null): void {
    const junk = findJunkName(path);
    if (junk !== undefined) this.countSkipped(junk);
    else if (isSecretFile(path)) this.secrets.push(path);
    else if (this.files.length < FOLDER_FILES_MAX) this.files.push({ path, file });
    else this.isOverfull = true;
  }

  countSkipped(name: string): void {
    this.skipped.set(name, (this.skipped.get(name) ?? 0) + 1);
  }
}

export function readChosen(files: Iterable<File>): FolderFiles {
  const collection = new Collection();
  for (const file of files) collection.add(file.webkitRelativePath || file.name, file);
  return collection;
}

/** Reads dropped folders. A junk folder is not read and counts once. */
export async function collectDroppedFiles(entries: readonly FileSystemEntry[]): Promise<FolderFiles> {
  const collection = new Collection();
  const pending = [...entries];
  for (let entry = pending.shift(); entry && !collection.isOverfull; entry = pending.shift()) {
    const path = entry.fullPath.replace(/^\//, "") || entry.name;
    if (isFile(entry)) {
      collection.add(path, await readFile(entry).catch(() => null));
    } else if (isJunkFolder(entry.name)) collection.countSkipped(entry.name);
    else if (isFolder(entry)) pending.push(...(await listFolder(entry)));
  }
  return collection;
}

// Some browsers lack these classes as globals.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** Browsers list a folder in portions, and an empty portion ends it. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return entries;
    entries.push(...portion);
  }
}
