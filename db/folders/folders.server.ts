import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { changeTree } from "#db/folders/tree-changes.server.ts";
import { readTree } from "#db/folders/tree-store.server.ts";
import { listNameForms } from "#domain/files/name-forms.ts";
import { copyFolders, type FolderCopy } from "#domain/folders/folder-copy.ts";
import {
  addFolder,
  addPath,
  changeFolder,
  checkFolderName,
  type Folder,
  type FolderChanges,
  type FolderTree,
  findChild,
  findFolder,
  followPath,
  listSubtree,
} from "#domain/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** A person's folders. Whoever never made one has no document. */
export async function readFolders(db: Db, ownerId: string): Promise<FolderTree> {
  return (await readTree(db, ownerId)).tree;
}

export async function createFolder(
  db: Db,
  ownerId: string,
  given: { name: string; parent_id: string | null },
  now: Date,
): Promise<Folder | Refusal> {
  const name = checkFolderName(given.name);
  if (isRefusal(name)) return name;
  const taken = await checkNoFileNamed(db, ownerId, given.parent_id, name);
  if (taken) return taken;
  const id = new ObjectId().toHexString();
  return putFolder(db, ownerId, (tree) => addFolder(tree, { id, name, parent_id: given.parent_id }, now));
}

/** Copies a folder, and all folders in it where it is deep, by one write. Their files are copied by whoever asked. */
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
  const taken = await checkNoFileNamed(db, ownerId, target.parent_id, name);
  if (taken) return taken;
  let copies: FolderCopy[] = [];
  const refusal = await changeTree(db, ownerId, (current) => {
    const folder = findFolder(current, folder_id);
    if (!folder) return Refusal("folder_not_found", { folder_id });
    const createId = () => new ObjectId().toHexString();
    const decided = copyFolders(current, folder, { ...target, name }, { isDeep, createId, now });
    if (isRefusal(decided)) return decided;
    copies = decided;
    return { put: decided.flatMap(({ copy }) => (isRefusal(copy) ? [] : [copy])) };
  });
  return refusal ?? copies;
}

/** Renames a folder, moves it, or both. What is in it is not touched. */
export async function updateFolder(
  db: Db,
  ownerId: string,
  folder_id: string,
  changes: FolderChanges,
  now: Date,
): Promise<Folder | Refusal> {
  const name = changes.name === undefined ? null : checkFolderName(changes.name);
  if (isRefusal(name)) return name;
  const before = findFolder(await readFolders(db, ownerId), folder_id);
  const { parent_id = null } = { ...before, ...changes };
  const taken = before && (await checkNoFileNamed(db, ownerId, parent_id, name ?? before.name));
  if (taken) return taken;
  return putFolder(db, ownerId, (tree) => changeFolder(tree, folder_id, changes, now));
}

/** The refusal of a folder where a file has its name: one path leads to one thing. */
export async function checkNoFileNamed(
  db: Db,
  user_id: string,
  folder_id: string | null,
  file_name: string,
): Promise<Refusal | null> {
  const named = { user_id, deleted_at: null, folder_id, file_name: { $in: listNameForms(file_name) } };
  const file = await db.files.findOne(named, { projection: { _id: 1 } });
  return file && Refusal("name_of_file", { name: file_name, file_id: file._id.toHexString() });
}

/** The refusal of files where a folder has the name of one. */
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

/** Puts the one folder that is decided on. */
export async function putFolder(
  db: Db,
  ownerId: string,
  decide: (tree: FolderTree) => Folder | Refusal,
): Promise<Folder | Refusal> {
  let decided: Folder | Refusal = Refusal("folders_busy");
  const refusal = await changeTree(db, ownerId, (current) => {
    decided = decide(current);
    return isRefusal(decided) ? decided : { put: [decided] };
  });
  return refusal ?? decided;
}

/** The id of the folder at a path, null for the root, undefined where there is none. */
export async function findFolderAt(
  db: Db,
  ownerId: string,
  names: readonly string[],
): Promise<string | null | undefined> {
  if (names.length === 0) return null;
  const followed = followPath(await readFolders(db, ownerId), names);
  return followed.length === names.length ? followed.at(-1)?.id : undefined;
}

/**
 * The id of the folder at a path, whose missing folders are made by one write; null for the root. Refused where a file has the name of
 * the first that is missing; those in it have nothing beside them.
 */
export async function makeFolders(
  db: Db,
  ownerId: string,
  names: readonly string[],
  now: Date,
): Promise<string | null | Refusal> {
  if (names.length === 0) return null;
  const followed = followPath(await readFolders(db, ownerId), names);
  const parent = followed.at(-1)?.id ?? null;
  const missing = names[followed.length];
  if (missing === undefined) return parent;
  const wrong = names.map(checkFolderName).find(isRefusal);
  if (wrong) return wrong;
  const taken = await checkNoFileNamed(db, ownerId, parent, missing);
  if (taken) return taken;
  let last: string | null = null;
  const refusal = await changeTree(db, ownerId, (current) => {
    const path = addPath(current, names, () => new ObjectId().toHexString(), now);
    if (isRefusal(path)) return path;
    last = (path.added.at(-1) ?? path.followed.at(-1))?.id ?? null;
    return { put: path.added };
  });
  return refusal ?? last;
}

/** Refused where a folder is not there for anything to be put into. */
export async function checkFolder(
  db: Db,
  ownerId: string,
  folder_id: string | null,
): Promise<Refusal | null> {
  if (folder_id === null || findFolder(await readFolders(db, ownerId), folder_id)) return null;
  return Refusal("folder_not_found", { folder_id });
}

/** Takes folders out of the trash for good, those deleted up to a moment. Their files are deleted before. */
export async function purgeFolders(db: Db, ownerId: string, until: Date): Promise<number> {
  let removed = 0;
  await changeTree(db, ownerId, (tree) => {
    const gone = [...tree.values()].filter(({ deleted_at }) => deleted_at && deleted_at <= until);
    const remove = [...new Set(gone.flatMap(({ id }) => listSubtree(tree, id)))];
    removed = remove.length;
    return { remove };
  });
  return removed;
}
