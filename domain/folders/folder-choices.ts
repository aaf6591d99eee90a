import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import {
  type Folder,
  type FolderTree,
  findFolder,
  followPath,
  isFolderId,
  listChildren,
} from "#domain/folders/folder-tree.ts";

/** A folder as forms name it. */
export type FolderPath = { id: string; path: string };

/** As many folders as a form offers in a list; beyond it a path is typed. */
export const FOLDER_CHOICES_MAX = 200;

/**
 * The living folders, without one of them and what is in it: each before what is in it, and those in one place by their names. It goes
 * no further than it is asked, and no path is compared as a whole: paths can be long, and there can be thousands.
 */
export function* walkFolders(tree: FolderTree, without?: string): Generator<Folder & FolderPath> {
  function* walkWithin(parent_id: string | null, place: string): Generator<Folder & FolderPath> {
    for (const folder of listChildren(tree, parent_id)) {
      if (folder.id === without) continue;
      const path = place + folder.name;
      yield { ...folder, path };
      yield* walkWithin(folder.id, `${path}/`);
    }
  }
  yield* walkWithin(null, "");
}

/** The first so many of them by their paths. */
export const listFolderPaths = (tree: FolderTree, limit: number, without?: string): FolderPath[] =>
  walkFolders(tree, without)
    .take(limit)
    .map(({ id, path }) => ({ id, path }))
    .toArray();

/** The folder that a form names by its id or by its path, null for the root, undefined where there is none. */
export function findNamedFolder(tree: FolderTree, named: string): string | null | undefined {
  if (named === ROOT_FOLDER) return null;
  if (isFolderId(named) && findFolder(tree, named)) return named;
  const names = named.split("/").filter((name) => name !== "");
  const followed = followPath(tree, names);
  return names.length > 0 && followed.length === names.length ? followed.at(-1)?.id : undefined;
}
