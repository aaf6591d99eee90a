import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { changeTree } from "#db/files/folders/tree-changes.server.ts";
import { readTree } from "#db/files/folders/tree-store.server.ts";
import { copyFolders, type FolderCopy } from "#domain/files/folders/folder-copy.ts";
import {
  changeFolderEntry,
  checkFolderName,
  createFolderEntry,
  createPathEntries,
  type Folder,
  type FolderChanges,
  type FolderTree,
  findChild,
  findFolder,
  followPath,
  listSubtree,
} from "#domain/files/folders/folder-tree.ts";
import { listNameForms } from "#domain/files/name-forms.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** A person who never created a folder has no document. */
export async function readFolders(db: Db, ownerId: string): Promise<FolderTree> {
  return (await readTree(db, ownerId)).tree;
}

export async function createFolder(
  db: Db,
  ownerId: string,
  fields: { name: string; parent_id: string | null },
  now: Date,
): Promise<Folder | Refusal> {
  const name = checkFolderName(fields.name);
  if (isRefusal(name)) return name;
  const nameConflict = await checkNoFileNamed(db, ownerId, fields.parent_id, name);
  if (nameConflict) return nameConflict;
  const id = new ObjectId().toHexString();
  return saveFolderChange(db, ownerId, (tree) =>
    createFolderEntry(tree, { id, name, parent_id: fields.parent_id }, now),
  );
}

/** Copies a folder, with all its subfolders if deep, with a single write. The caller copies the files. */
export async function copyFolderTree(
  db: Db,
  ownerId: string,
  folder_id: string,
  target: { name: string; parent_id: string | null },
  isDeep: boolean,
  now: Date,
): Promise<FolderCopy[] | Refusal> {
  const name = checkFolderName(target.name);
  if (isRefusal(name)) return name;
  const nameConflict = await checkNoFileNamed(db, ownerId, target.parent_id, name);
  if (nameConflict) return nameConflict;
  let copies: FolderCopy[] = [];
  const refusal = await changeTree(db, ownerId, (current) => {
    const folder = findFolder(current, folder_id);
    if (!folder) return Refusal("folder_not_found", { folder_id });
    const createId = () => new ObjectId().toHexString();
    const newCopies = copyFolders(current, folder, { ...target, name }, { isDeep, createId, now });
    if (isRefusal(newCopies)) return newCopies;
    copies = newCopies;
    return { put: newCopies.flatMap(({ copy }) => (isRefusal(copy) ? [] : [copy])) };
  });
  return refusal ?? copies;
}

/** Renames or moves a folder. Its contents are not touched. */
export async function updateFolder(
  db: Db,
  ownerId: string,
  folder_id: string,
  changes: FolderChanges,
  now: Date,
): Promise<Folder | Refusal> {
  const name = changes.name === undefined ? null : checkFolderName(changes.name);
  if (isRefusal(name)) return name;
  const existing = findFolder(await readFolders(db, ownerId), folder_id);
  const { parent_id = null } = { ...existing, ...changes };
  const nameConflict = existing && (await checkNoFileNamed(db, ownerId, parent_id, name ?? existing.name));
  if (nameConflict) return nameConflict;
  return saveFolderChange(db, ownerId, (tree) => changeFolderEntry(tree, folder_id, changes, now));
}

/** Refuses a folder if a file has its name, so that a path is unambiguous. */
export async function checkNoFileNamed(
  db: Db,
  user_id: string,
  folder_id: string | null,
  file_name: string,
): Promise<Refusal | null> {
  const filter = { user_id, deleted_at: null, folder_id, file_name: { $in: listNameForms(file_name) } };
  const file = await db.files.findOne(filter, { projection: { _id: 1 } });
  return file && Refusal("name_of_file", { name: file_name, file_id: file._id.toHexString() });
}

export async function checkNoFolderNamed(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  fileNames: readonly string[],
): Promise<Refusal | null> {
  const tree = await readFolders(db, ownerId);
  for (const file_name of fileNames) {
    const folder = findChild(tree, folder_id, file_name);
    if (folder) return Refusal("name_of_folder", { file_name, folder_id: folder.id });
  }
  return null;
}

export async function saveFolderChange(
  db: Db,
  ownerId: string,
  decide: (tree: FolderTree) => Folder | Refusal,
): Promise<Folder | Refusal> {
  let result: Folder | Refusal = Refusal("folders_busy");
  const refusal = await changeTree(db, ownerId, (current) => {
    result = decide(current);
    return isRefusal(result) ? result : { put: [result] };
  });
  return refusal ?? result;
}

/** Returns the id of the folder at a path; null for the root, undefined if there is none. */
export async function findFolderIdAt(
  db: Db,
  ownerId: string,
  names: readonly string[],
): Promise<string | null | undefined> {
  if (names.length === 0) return null;
  const trail = followPath(await readFolders(db, ownerId), names);
  return trail.length === names.length ? trail.at(-1)?.id : undefined;
}

/**
 * Returns the id of the folder at a path and creates missing folders with a single write; null for the root. Refuses if a file
 * has the name of the first missing folder; folders inside a new one have no siblings.
 */
export async function ensureFolders(
  db: Db,
  ownerId: string,
  names: readonly string[],
  now: Date,
): Promise<string | null | Refusal> {
  if (names.length === 0) return null;
  const trail = followPath(await readFolders(db, ownerId), names);
  const parent = trail.at(-1)?.id ?? null;
  const missing = names[trail.length];
  if (missing === undefined) return parent;
  const invalidName = names.map(checkFolderName).find(isRefusal);
  if (invalidName) return invalidName;
  const nameConflict = await checkNoFileNamed(db, ownerId, parent, missing);
  if (nameConflict) return nameConflict;
  let lastId: string | null = null;
  const refusal = await changeTree(db, ownerId, (current) => {
    const path = createPathEntries(current, names, () => new ObjectId().toHexString(), now);
    if (isRefusal(path)) return path;
    lastId = (path.added.at(-1) ?? path.followed.at(-1))?.id ?? null;
    return { put: path.added };
  });
  return refusal ?? lastId;
}

export async function checkFolderExists(
  db: Db,
  ownerId: string,
  folder_id: string | null,
): Promise<Refusal | null> {
  if (folder_id === null || findFolder(await readFolders(db, ownerId), folder_id)) return null;
  return Refusal("folder_not_found", { folder_id });
}

/** Removes folders from the trash that were deleted up to a moment. Their files are deleted before. */
export async function purgeFolders(db: Db, ownerId: string, until: Date): Promise<number> {
  let removed = 0;
  await changeTree(db, ownerId, (tree) => {
    const trashed = [...tree.values()].filter(({ deleted_at }) => deleted_at && deleted_at <= until);
    const remove = [...new Set(trashed.flatMap(({ id }) => listSubtree(tree, id)))];
    removed = remove.length;
    return { remove };
  });
  return removed;
}
