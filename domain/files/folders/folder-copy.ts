import { ALL_FOLDER_PROPERTIES_MAX_BYTES, measureProperties } from "#domain/files/dead-property.ts";
import {
  createFolderEntry,
  FOLDER_DEPTH_MAX,
  FOLDERS_MAX,
  type Folder,
  type FolderTree,
  findTrail,
  listChildren,
  type NewFolder,
  toNewFolder,
} from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** A copied folder: its names below the first copy, and the entry to add or the refusal. */
export type FolderCopy = { source: Folder; below: readonly string[]; copy: Folder | Refusal };

type CopyTarget = Pick<NewFolder, "name" | "parent_id">;

/**
 * Copies a folder, with all its subfolders if deep. All copies are decided together, because checking them separately would read the whole
 * tree for each. Subfolders of a folder that cannot be copied are left out. Properties of clients are copied while there is room.
 */
export function copyFolders(
  tree: FolderTree,
  folder: Folder,
  target: CopyTarget,
  { isDeep, createId, now }: { isDeep: boolean; createId: () => string; now: Date },
): FolderCopy[] | Refusal {
  const first = createFolderEntry(tree, { id: createId(), ...target }, now);
  if (isRefusal(first)) return first;
  const copyProperties = createPropertyCopier(tree);
  const depth = target.parent_id === null ? 0 : (findTrail(tree, target.parent_id)?.length ?? 0);
  const copies: FolderCopy[] = [{ source: folder, below: [], copy: copyProperties(first, folder) }];
  let size = tree.size + 1;
  for (const { source, below, copy } of copies) {
    if (!isDeep || isRefusal(copy)) continue;
    for (const child of listChildren(tree, source.id)) {
      const names = [...below, child.name];
      const refusal = checkFolderRoom(size, depth + 1 + names.length);
      const entry = refusal ?? toNewFolder({ id: createId(), name: child.name, parent_id: copy.id }, now);
      if (!isRefusal(entry)) size += 1;
      copies.push({
        source: child,
        below: names,
        copy: isRefusal(entry) ? entry : copyProperties(entry, child),
      });
    }
  }
  return copies;
}

function checkFolderRoom(size: number, depth: number): Refusal | null {
  if (depth > FOLDER_DEPTH_MAX) return Refusal("folder_too_deep", { max: FOLDER_DEPTH_MAX });
  return size >= FOLDERS_MAX ? Refusal("folder_limit", { max: FOLDERS_MAX }) : null;
}

function createPropertyCopier(tree: FolderTree): (copy: Folder, source: Folder) => Folder {
  const measure = ({ dead_properties = [] }: Folder) => measureProperties(dead_properties);
  let bytes = tree.values().reduce((sum, folder) => sum + measure(folder), 0);
  return (copy, source) => {
    const { dead_properties } = source;
    if (!dead_properties || bytes + measure(source) > ALL_FOLDER_PROPERTIES_MAX_BYTES) return copy;
    bytes += measure(source);
    return { ...copy, dead_properties };
  };
}
