import { findJunk, isJunkFolder } from "#domain/files/junk-path.ts";
import { isSecretFile } from "#domain/files/secret-file.ts";

/** A file of a folder that is uploaded, and where it is within what was chosen: `lib/a.py`; null where it cannot be read. */
export type FolderFile = { path: string; file: File | null };
/**
 * `skipped` counts what nobody wants to keep, by the name of the folder or file that it is; `secrets` are the paths of files that
 * may hold secrets. Neither is uploaded.
 */
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
    const junk = findJunk(path);
    if (junk !== undefined) this.skip(junk);
    else if (isSecretFile(path)) this.secrets.push(path);
    else if (this.files.length < FOLDER_FILES_MAX) this.files.push({ path, file });
    else this.isOverfull = true;
  }

  skip(name: string): void {
    this.skipped.set(name, (this.skipped.get(name) ?? 0) + 1);
  }
}

/** What a field for folders has. */
export function readChosen(files: Iterable<File>): FolderFiles {
  const found = new Collection();
  for (const file of files) found.add(file.webkitRelativePath || file.name, file);
  return found;
}

/** What was dropped. Folders that nobody wants to keep are not looked into, and count as one. */
export async function readEntries(entries: readonly FileSystemEntry[]): Promise<FolderFiles> {
  const found = new Collection();
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry && !found.isOverfull; entry = waiting.shift()) {
    const path = entry.fullPath.replace(/^\//, "") || entry.name;
    if (isFile(entry)) {
      found.add(path, await readFile(entry).catch(() => null));
    } else if (isJunkFolder(entry.name)) found.skip(entry.name);
    else if (isFolder(entry)) waiting.push(...(await listFolder(entry)));
  }
  return found;
}

// Not every browser has the classes of these by name.
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const readFile = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A browser tells the entries of a folder in portions, until one is empty. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
