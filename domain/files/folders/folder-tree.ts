import type { DeadProperty } from "#domain/files/dead-property.ts";
import { checkFileName, FILE_NAME_MAX } from "#domain/files/file.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { sortByName } from "#domain/files/name-order.ts";
import { numberedName } from "#domain/files/trash.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { codePoints } from "#domain/text/text.ts";

/**
 * All folders of a person as one value. A folder stores only its parent, so moving or renaming it changes one entry. Every rule
 * sees the whole tree, and the store replaces the tree only if it has not changed since it was read.
 */
export type Folder = {
  id: string;
  parent_id: string | null;
  name: string;
  created_at: Date;
  updated_at: Date;
  /** Set while the folder is in the trash with everything in it, until `expires_at`. Folders inside it have no dates of their own. */
  deleted_at: Date | null;
  expires_at: Date | null;
  /** Properties stored by WebDAV clients. */
  dead_properties?: readonly DeadProperty[];
};
export type FolderTree = ReadonlyMap<string, Folder>;
export const NO_FOLDERS: FolderTree = new Map();

/** The entries that a change puts, and the ids of those that it removes. */
export type TreeChange = { put: readonly Folder[]; remove: readonly string[] };

export const FOLDER_DEPTH_MAX = 16;
export const FOLDERS_MAX = 5_000;

export function isFolderId(id: string): boolean {
  return /^[0-9a-f]{24}$/.test(id);
}

export const checkFolderName = (name: unknown): string | Refusal =>
  isRefusal(checkFileName(name)) ? Refusal("invalid_folder_name") : String(name);

/** Names that differ only in case or in the Unicode form of accents count as the same name. */
export const toNameKey = (name: string): string => toComposedName(name).toLowerCase();

/** Returns the folder and its parents, outermost first; null if one is missing, or in the trash without `inTrash`. */
export function findTrail(tree: FolderTree, id: string, { inTrash = false } = {}): Folder[] | null {
  const trail: Folder[] = [];
  for (let folderId: string | null = id; folderId !== null; ) {
    const folder = tree.get(folderId);
    if (!folder || (folder.deleted_at && !inTrash) || trail.length >= FOLDER_DEPTH_MAX) return null;
    trail.unshift(folder);
    folderId = folder.parent_id;
  }
  return trail;
}

export function findFolder(tree: FolderTree, id: string): Folder | null {
  return findTrail(tree, id)?.at(-1) ?? null;
}

export function toFolderPath(tree: FolderTree, folder_id: string | null): string {
  const trail = folder_id === null ? [] : (findTrail(tree, folder_id) ?? []);
  return trail.map(({ name }) => name).join("/");
}

/** The path of an item in a folder. Without a folder, or in a missing one, the item is at the root. */
export function toItemPath(tree: FolderTree, folder_id: string | null, name: string): string {
  const folder = toFolderPath(tree, folder_id);
  return folder === "" ? name : `${folder}/${name}`;
}

/** The names of the folders that something in the trash was in, which may be there too; none where one of them is gone for good. */
export const listOldFolders = (tree: FolderTree, folder_id: string | null): string[] =>
  folder_id === null ? [] : (findTrail(tree, folder_id, { inTrash: true }) ?? []).map(({ name }) => name);

/** Cache of sorted children. A tree never changes, so each folder is sorted once. */
const childrenCache = new WeakMap<FolderTree, Map<string | null, readonly Folder[]>>();

/** Lists the folders directly in a folder or at the root that are not in the trash, ordered by name. */
export function listChildren(tree: FolderTree, parent_id: string | null): readonly Folder[] {
  if (parent_id !== null && !findFolder(tree, parent_id)) return [];
  const cachedChildren = childrenCache.get(tree) ?? new Map<string | null, readonly Folder[]>();
  const cached = cachedChildren.get(parent_id);
  if (cached) return cached;
  const children = (groupChildren(tree).get(parent_id) ?? []).filter(({ deleted_at }) => !deleted_at);
  const sorted = sortByName(children, ({ name }) => name);
  childrenCache.set(tree, cachedChildren.set(parent_id, sorted));
  return sorted;
}

/** Cache of children by parent. A tree never changes. */
const groupsCache = new WeakMap<FolderTree, Map<string | null, Folder[]>>();

/** Groups all folders by their parent, including those in the trash. */
export function groupChildren(tree: FolderTree): ReadonlyMap<string | null, readonly Folder[]> {
  const groups = groupsCache.get(tree) ?? Map.groupBy(tree.values(), ({ parent_id }) => parent_id);
  groupsCache.set(tree, groups);
  return groups;
}

/** Lists the ids of a folder and of all folders in it, including those in the trash. */
export function listSubtree(tree: FolderTree, id: string): string[] {
  const children = groupChildren(tree);
  const ids = [id];
  for (const folderId of ids) ids.push(...(children.get(folderId) ?? []).map((child) => child.id));
  return ids;
}

export function followPath(tree: FolderTree, names: readonly string[]): Folder[] {
  const trail: Folder[] = [];
  for (const name of names) {
    const child = findChild(tree, trail.at(-1)?.id ?? null, name);
    if (!child) break;
    trail.push(child);
  }
  return trail;
}

/** Finds the folder of this name directly in a folder or at the root, unless it is in the trash. */
export function findChild(tree: FolderTree, parent_id: string | null, name: string): Folder | undefined {
  const folderIndex = indexCache.get(tree) ?? indexFolders(tree);
  return folderIndex.get(toIndexKey(parent_id, name));
}

/** Cache of folders by parent and name. A tree never changes. */
const indexCache = new WeakMap<FolderTree, Map<string, Folder>>();

const toIndexKey = (parent_id: string | null, name: string) => `${parent_id ?? ""}/${toNameKey(name)}`;

function indexFolders(tree: FolderTree): Map<string, Folder> {
  const living = [...tree.values()].filter(({ deleted_at }) => !deleted_at);
  const folderIndex = new Map(living.map((folder) => [toIndexKey(folder.parent_id, folder.name), folder]));
  indexCache.set(tree, folderIndex);
  return folderIndex;
}

export function applyChange(tree: FolderTree, change: TreeChange): FolderTree {
  const changedTree = copyTree(tree);
  applyToCopy(changedTree, change);
  return changedTree;
}

/** The index of folders is copied, too, because making it again takes longer. */
export function copyTree(tree: FolderTree): Map<string, Folder> {
  const copy = new Map(tree);
  indexCache.set(copy, new Map(indexCache.get(tree) ?? indexFolders(tree)));
  return copy;
}

/** Changes a copy that nobody else reads yet. */
export function applyToCopy(tree: Map<string, Folder>, { put, remove }: TreeChange): void {
  const folderIndex = indexCache.get(tree) ?? indexFolders(tree);
  for (const id of [...remove, ...put.map((folder) => folder.id)]) {
    const previous = tree.get(id);
    const key = previous && toIndexKey(previous.parent_id, previous.name);
    if (key !== undefined && folderIndex.get(key)?.id === id) folderIndex.delete(key);
  }
  for (const id of remove) tree.delete(id);
  for (const folder of put) {
    tree.set(folder.id, folder);
    if (!folder.deleted_at) folderIndex.set(toIndexKey(folder.parent_id, folder.name), folder);
  }
  childrenCache.delete(tree);
  groupsCache.delete(tree);
}

export type NewFolder = { id: string; name: string; parent_id: string | null };

export function createFolderEntry(
  tree: FolderTree,
  { id, name, parent_id }: NewFolder,
  now: Date,
): Folder | Refusal {
  const folder = toNewFolder({ id, name, parent_id }, now);
  if (tree.size >= FOLDERS_MAX) return Refusal("folder_limit", { max: FOLDERS_MAX });
  return checkPosition(tree, folder) ?? folder;
}

export const toNewFolder = ({ id, name, parent_id }: NewFolder, now: Date): Folder => ({
  ...{ id, parent_id, name: toComposedName(name) },
  ...{ created_at: now, updated_at: now, deleted_at: null, expires_at: null },
});

/** Returns the existing folders along a path and the entries to add for the others. */
export function createPathEntries(
  tree: FolderTree,
  names: readonly string[],
  createId: () => string,
  now: Date,
): { followed: Folder[]; added: Folder[] } | Refusal {
  const followed = followPath(tree, names);
  const missing = names.slice(followed.length);
  if (names.length > FOLDER_DEPTH_MAX) return Refusal("folder_too_deep", { max: FOLDER_DEPTH_MAX });
  if (tree.size + missing.length > FOLDERS_MAX) return Refusal("folder_limit", { max: FOLDERS_MAX });
  const added: Folder[] = [];
  for (const name of missing) {
    const parent_id = (added.at(-1) ?? followed.at(-1))?.id ?? null;
    added.push(toNewFolder({ id: createId(), name, parent_id }, now));
  }
  return { followed, added };
}

export type FolderChanges = { name?: string; parent_id?: string | null };

/** Returns the changed entry. A folder cannot be moved into itself. */
export function changeFolderEntry(
  tree: FolderTree,
  id: string,
  changes: FolderChanges,
  now: Date,
): Folder | Refusal {
  const existing = findFolder(tree, id);
  if (!existing) return Refusal("folder_not_found", { folder_id: id });
  const name = toComposedName(changes.name ?? existing.name);
  const folder = { ...existing, ...changes, name, updated_at: now };
  if (folder.parent_id !== null && listSubtree(tree, id).includes(folder.parent_id))
    return Refusal("folder_into_itself", { folder_id: id });
  return checkPosition(tree, folder) ?? folder;
}

/** Returns the trashed entry; it stands for everything in the folder. */
export function trashFolderEntry(
  tree: FolderTree,
  id: string,
  deleted_at: Date,
  expires_at: Date,
): Folder | Refusal {
  const folder = findFolder(tree, id);
  return folder ? { ...folder, deleted_at, expires_at } : Refusal("folder_not_found", { folder_id: id });
}

/** Returns the restored entry: in its former parent, or at the root if that is gone, and with a numbered name if its own is taken. */
export function restoreFolderEntry(tree: FolderTree, id: string, now: Date): Folder | Refusal {
  const trashed = tree.get(id);
  if (!trashed?.deleted_at || !trashed.expires_at || trashed.expires_at <= now)
    return Refusal("folder_not_found", { folder_id: id });
  const parentExists = trashed.parent_id !== null && findFolder(tree, trashed.parent_id) !== null;
  const parent_id = parentExists ? trashed.parent_id : null;
  const living = { ...trashed, parent_id, deleted_at: null, expires_at: null };
  const problem = checkDepth(tree, living);
  if (problem) return problem;
  for (let number = 1; number <= FOLDERS_MAX + 1; number += 1) {
    const name = number === 1 ? trashed.name : numberedName(trashed.name, number);
    if (!findChild(tree, parent_id, name)) return { ...living, name };
  }
  return Refusal("folder_limit", { max: FOLDERS_MAX });
}

/** Appends a number from the second copy on: `lib (2)`. A name at its limit is cut to make room. */
export const toNumberedFolderName = (name: string, number: number): string =>
  number === 1
    ? name
    : `${[...name].slice(0, FILE_NAME_MAX - codePoints(` (${number})`)).join("")} (${number})`;

function checkPosition(tree: FolderTree, folder: Folder): Refusal | null {
  const { id, parent_id, name } = folder;
  const problem = checkDepth(tree, folder);
  if (problem) return problem;
  const sibling = findChild(tree, parent_id, name);
  return sibling && sibling.id !== id ? Refusal("folder_name_taken", { name, folder_id: sibling.id }) : null;
}

function checkDepth(tree: FolderTree, { id, parent_id }: Folder): Refusal | null {
  const trail = parent_id === null ? [] : findTrail(tree, parent_id);
  if (!trail) return Refusal("folder_not_found", { folder_id: parent_id });
  if (trail.length + measureHeight(tree, id) > FOLDER_DEPTH_MAX)
    return Refusal("folder_too_deep", { max: FOLDER_DEPTH_MAX });
  return null;
}

/** Counts the levels from this folder down, including itself. */
function measureHeight(tree: FolderTree, id: string): number {
  if (!tree.has(id)) return 1;
  const depths = new Map([[id, 1]]);
  for (const folderId of listSubtree(tree, id)) {
    const parent = tree.get(folderId)?.parent_id ?? null;
    if (folderId !== id)
      depths.set(folderId, required(depths.get(required(parent, "parent")), "depth of a parent") + 1);
  }
  return Math.max(...depths.values());
}
