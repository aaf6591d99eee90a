import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import { sortByName } from "#domain/files/name-order.ts";
import {
  type FolderTree,
  findFolder,
  findTrail,
  followPath,
  isFolderId,
  listSubtree,
} from "#domain/folders/folder-tree.ts";

/** A folder as forms name it. */
export type FolderPath = { id: string; path: string };

/** As many folders as a form offers in a list; beyond it a path is typed. */
export const FOLDER_CHOICES_MAX = 200;

/** All living folders by their paths, without one of them and what is in it. */
export function listFolderPaths(tree: FolderTree, without?: string): FolderPath[] {
  const left = new Set(without === undefined ? [] : listSubtree(tree, without));
  const paths = [...tree.keys()]
    .filter((id) => !left.has(id))
    .flatMap((id) => {
      const trail = findTrail(tree, id);
      return trail ? [{ id, path: trail.map(({ name }) => name).join("/") }] : [];
    });
  return sortByName(paths, ({ path }) => path);
}

/** The folder that a form names by its id or by its path, null for the root, undefined where there is none. */
export function findNamedFolder(tree: FolderTree, named: string): string | null | undefined {
  if (named === ROOT_FOLDER) return null;
  if (isFolderId(named) && findFolder(tree, named)) return named;
  const names = named.split("/").filter((name) => name !== "");
  const followed = followPath(tree, names);
  return names.length > 0 && followed.length === names.length ? followed.at(-1)?.id : undefined;
}
