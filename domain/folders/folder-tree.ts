import type { DeadProperty } from "#domain/dav/dead-property.ts";
import { checkFileName, FILE_NAME_MAX } from "#domain/files/file.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { sortByName } from "#domain/files/name-order.ts";
import { numberedName } from "#domain/files/trash.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { codePoints } from "#domain/text/text.ts";

/**
 * All folders of one person as one value. A folder stores only its parent, so moving or renaming one changes one entry. Every rule
 * below sees the whole tree, and the store replaces the tree only if nobody changed it meanwhile.
 */
export type Folder = {
  id: string;
  parent_id: string | null;
  name: string;
  created_at: Date;
  updated_at: Date;
  /** In the trash, with all that is in it, until `expires_at`. Folders within it have no dates of their own. */
  deleted_at: Date | null;
  expires_at: Date | null;
  /** What WebDAV clients keep on it. */
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

/** The folder and its parents, outermost first; null if one of them is missing or in the trash. */
export function findTrail(tree: FolderTree, id: string): Folder[] | null {
  const trail: Folder[] = [];
  for (let at: string | null = id; at !== null; ) {
    const folder = tree.get(at);
    if (!folder || folder.deleted_at || trail.length >= FOLDER_DEPTH_MAX) return null;
    trail.unshift(folder);
    at = folder.parent_id;
  }
  return trail;
}

export function findFolder(tree: FolderTree, id: string): Folder | null {
  return findTrail(tree, id)?.at(-1) ?? null;
}

/** The path of a folder; empty for the root and for a missing folder. */
export function toFolderPath(tree: FolderTree, folder_id: string | null): string {
  const trail = folder_id === null ? [] : (findTrail(tree, folder_id) ?? []);
  return trail.map(({ name }) => name).join("/");
}

/** The path of an item in a folder. Without a folder, or in a missing one, the item is at the root. */
export function toPath(tree: FolderTree, folder_id: string | null, name: string): string {
  const folder = toFolderPath(tree, folder_id);
  return folder === "" ? name : `${folder}/${name}`;
}

/** Cache of sorted children. A tree never changes, so each place is sorted once. */
const knownOrders = new WeakMap<FolderTree, Map<string | null, readonly Folder[]>>();

/** The living folders within a folder, or at the root, by name. */
export function listChildren(tree: FolderTree, parent_id: string | null): readonly Folder[] {
  if (parent_id !== null && !findFolder(tree, parent_id)) return [];
  const orders = knownOrders.get(tree) ?? new Map<string | null, readonly Folder[]>();
  const known = orders.get(parent_id);
  if (known) return known;
  const children = (groupChildren(tree).get(parent_id) ?? []).filter(({ deleted_at }) => !deleted_at);
  const sorted = sortByName(children, ({ name }) => name);
  knownOrders.set(tree, orders.set(parent_id, sorted));
  return sorted;
}

/** Cache of children by parent. A tree never changes. */
const knownChildren = new WeakMap<FolderTree, Map<string | null, Folder[]>>();

/** The direct children of each folder and of the root, including those in the trash. */
export function groupChildren(tree: FolderTree): ReadonlyMap<string | null, readonly Folder[]> {
  const known = knownChildren.get(tree) ?? Map.groupBy(tree.values(), ({ parent_id }) => parent_id);
  knownChildren.set(tree, known);
  return known;
}

/** The ids of a folder and of all folders in it, including those in the trash. */
export function listSubtree(tree: FolderTree, id: string): string[] {
  const children = groupChildren(tree);
  const found = [id];
  for (const at of found) found.push(...(children.get(at) ?? []).map((child) => child.id));
  return found;
}

/** The folders along a path, as far as they exist. */
export function followPath(tree: FolderTree, names: readonly string[]): Folder[] {
  const followed: Folder[] = [];
  for (const name of names) {
    const child = findChild(tree, followed.at(-1)?.id ?? null, name);
    if (!child) break;
    followed.push(child);
  }
  return followed;
}

/** The direct child of this name, in a folder or at the root, that is not in the trash. */
export function findChild(tree: FolderTree, parent_id: string | null, name: string): Folder | undefined {
  const places = knownPlaces.get(tree) ?? indexPlaces(tree);
  return places.get(toPlaceKey(parent_id, name));
}

/** Cache of folders by place and name. A tree never changes. */
const knownPlaces = new WeakMap<FolderTree, Map<string, Folder>>();

const toPlaceKey = (parent_id: string | null, name: string) => `${parent_id ?? ""}/${toNameKey(name)}`;

function indexPlaces(tree: FolderTree): Map<string, Folder> {
  const living = [...tree.values()].filter(({ deleted_at }) => !deleted_at);
  const places = new Map(living.map((folder) => [toPlaceKey(folder.parent_id, folder.name), folder]));
  knownPlaces.set(tree, places);
  return places;
}

/** The tree after a change. The index of places is copied and updated, because making it again takes longer. */
export function applyChange(tree: FolderTree, { put, remove }: TreeChange): FolderTree {
  const changed = new Map(tree);
  for (const id of remove) changed.delete(id);
  for (const folder of put) changed.set(folder.id, folder);
  const places = new Map(knownPlaces.get(tree) ?? indexPlaces(tree));
  for (const id of [...remove, ...put.map((folder) => folder.id)]) {
    const before = tree.get(id);
    const key = before && toPlaceKey(before.parent_id, before.name);
    if (key !== undefined && places.get(key)?.id === id) places.delete(key);
  }
  for (const folder of put)
    if (!folder.deleted_at) places.set(toPlaceKey(folder.parent_id, folder.name), folder);
  knownPlaces.set(changed, places);
  return changed;
}

export type NewFolder = { id: string; name: string; parent_id: string | null };

/** The entry to add. */
export function addFolder(tree: FolderTree, { id, name, parent_id }: NewFolder, now: Date): Folder | Refusal {
  const folder = toNewFolder({ id, name, parent_id }, now);
  if (tree.size >= FOLDERS_MAX) return Refusal("folder_limit", { max: FOLDERS_MAX });
  return checkPlace(tree, folder) ?? folder;
}

/** The entry of a new folder. */
export const toNewFolder = ({ id, name, parent_id }: NewFolder, now: Date): Folder => ({
  ...{ id, parent_id, name: toComposedName(name) },
  ...{ created_at: now, updated_at: now, deleted_at: null, expires_at: null },
});

/** The folders along a path: those that exist, and the entries to add for the rest. */
export function addPath(
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

/** The changed entry of a folder. A folder cannot be moved into itself. */
export function changeFolder(
  tree: FolderTree,
  id: string,
  changes: FolderChanges,
  now: Date,
): Folder | Refusal {
  const before = findFolder(tree, id);
  if (!before) return Refusal("folder_not_found", { folder_id: id });
  const name = toComposedName(changes.name ?? before.name);
  const folder = { ...before, ...changes, name, updated_at: now };
  if (folder.parent_id !== null && listSubtree(tree, id).includes(folder.parent_id))
    return Refusal("folder_into_itself", { folder_id: id });
  return checkPlace(tree, folder) ?? folder;
}

/** The entry of a folder that is deleted with everything in it. */
export function trashFolder(
  tree: FolderTree,
  id: string,
  deleted_at: Date,
  expires_at: Date,
): Folder | Refusal {
  const folder = findFolder(tree, id);
  return folder ? { ...folder, deleted_at, expires_at } : Refusal("folder_not_found", { folder_id: id });
}

/**
 * The entry of a folder that is restored from the trash: in its former parent, or at the root if that is gone, and with a numbered
 * name if its own is taken.
 */
export function restoreFolder(tree: FolderTree, id: string, now: Date): Folder | Refusal {
  const trashed = tree.get(id);
  if (!trashed?.deleted_at || !trashed.expires_at || trashed.expires_at <= now)
    return Refusal("folder_not_found", { folder_id: id });
  const isParentThere = trashed.parent_id !== null && findFolder(tree, trashed.parent_id) !== null;
  const parent_id = isParentThere ? trashed.parent_id : null;
  const living = { ...trashed, parent_id, deleted_at: null, expires_at: null };
  const problem = checkDepth(tree, living);
  if (problem) return problem;
  for (let number = 1; number <= FOLDERS_MAX + 1; number += 1) {
    const name = number === 1 ? trashed.name : numberedName(trashed.name, number);
    if (!findChild(tree, parent_id, name)) return { ...living, name };
  }
  return Refusal("folder_limit", { max: FOLDERS_MAX });
}

/** The name with a number behind it, from the second on: `lib (2)`. A name at its limit is cut to make room. */
export const numberFolder = (name: string, number: number): string =>
  number === 1
    ? name
    : `${[...name].slice(0, FILE_NAME_MAX - codePoints(` (${number})`)).join("")} (${number})`;

/** The refusal of a folder's parent, depth or name; null if the place is valid. */
function checkPlace(tree: FolderTree, folder: Folder): Refusal | null {
  const { id, parent_id, name } = folder;
  const problem = checkDepth(tree, folder);
  if (problem) return problem;
  const there = findChild(tree, parent_id, name);
  return there && there.id !== id ? Refusal("folder_name_taken", { name, folder_id: there.id }) : null;
}

/** The refusal of a folder's parent and depth, without regard to its name. */
function checkDepth(tree: FolderTree, { id, parent_id }: Folder): Refusal | null {
  const trail = parent_id === null ? [] : findTrail(tree, parent_id);
  if (!trail) return Refusal("folder_not_found", { folder_id: parent_id });
  if (trail.length + measureHeight(tree, id) > FOLDER_DEPTH_MAX)
    return Refusal("folder_too_deep", { max: FOLDER_DEPTH_MAX });
  return null;
}

/** The number of levels from this folder down, including itself. */
function measureHeight(tree: FolderTree, id: string): number {
  if (!tree.has(id)) return 1;
  const depths = new Map([[id, 1]]);
  for (const at of listSubtree(tree, id)) {
    const parent = tree.get(at)?.parent_id ?? null;
    if (at !== id) depths.set(at, required(depths.get(required(parent, "parent")), "depth of a parent") + 1);
  }
  return Math.max(...depths.values());
}
