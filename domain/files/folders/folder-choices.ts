import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import {
  type Folder,
  type FolderTree,
  findFolder,
  followPath,
  isFolderId,
  listChildren,
} from "#domain/files/folders/folder-tree.ts";

export type FolderPath = { id: string; path: string };

/** The longest list of folders in a form; people with more type a path. */
export const FOLDER_CHOICES_MAX = 200;

/**
 * Walks the folders outside the trash, parents before children and siblings by name, without the subtree `without`. It is lazy
 * and never compares whole paths, which can be long and many.
 */
export function* walkFolders(tree: FolderTree, without?: string): Generator<Folder & FolderPath> {
  function* walkChildren(parent_id: string | null, pathPrefix: string): Generator<Folder & FolderPath> {
    for (const folder of listChildren(tree, parent_id)) {
      if (folder.id === without) continue;
      const path = pathPrefix + folder.name;
      yield { ...folder, path };
      yield* walkChildren(folder.id, `${path}/`);
    }
  }
  yield* walkChildren(null, "");
}

export const listFolderPaths = (tree: FolderTree, limit: number, without?: string): FolderPath[] =>
  walkFolders(tree, without)
    .take(limit)
    .map(({ id, path }) => ({ id, path }))
    .toArray();

/** Finds a folder by id or path. Null is the root; undefined means that there is no such folder. */
export function findFolderByIdOrPath(tree: FolderTree, idOrPath: string): string | null | undefined {
  if (idOrPath === ROOT_FOLDER) return null;
  if (isFolderId(idOrPath) && findFolder(tree, idOrPath)) return idOrPath;
  const names = idOrPath.split("/").filter((name) => name !== "");
  const trail = followPath(tree, names);
  return names.length > 0 && trail.length === names.length ? trail.at(-1)?.id : undefined;
}
