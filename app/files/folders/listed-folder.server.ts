import { cutFolderPage, type FolderPage } from "#app/files/folders/folder-pages.ts";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { Db } from "#db/client.ts";
import { countFolderFiles } from "#db/files/folders/folder-files.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";
import {
  FOLDER_CHOICES_MAX,
  type FolderPath,
  findFolderByIdOrPath,
  listFolderPaths,
} from "#domain/files/folders/folder-choices.ts";
import {
  type FolderTree,
  findTrail,
  groupChildren,
  listChildren,
} from "#domain/files/folders/folder-tree.ts";
import { Refusal } from "#domain/refusal.ts";

export type TrailStep = { id: string; name: string };

export function toTrail(tree: FolderTree, folder_id: string | null): TrailStep[] {
  const trail = folder_id === null ? [] : (findTrail(tree, folder_id) ?? []);
  return trail.map(({ id, name }) => ({ id, name }));
}

/** The folders that a form offers. `isWhole` says whether those are all. */
export type FolderChoices = { offered: FolderPath[]; isWhole: boolean };

export function listFolderChoices(tree: FolderTree, without?: string): FolderChoices {
  const first = listFolderPaths(tree, FOLDER_CHOICES_MAX + 1, without);
  return { offered: first.slice(0, FOLDER_CHOICES_MAX), isWhole: first.length <= FOLDER_CHOICES_MAX };
}

export type FilePlacing = { trail: TrailStep[]; choices: FolderChoices };

export async function readFilePlacing(
  db: Db,
  { user_id, folder_id }: { user_id: string; folder_id: string | null },
): Promise<FilePlacing> {
  const tree = await readFolders(db, user_id);
  return { trail: toTrail(tree, folder_id), choices: listFolderChoices(tree) };
}

export async function readChosenFolder(
  db: Db,
  ownerId: string,
  folderInput: string | undefined,
): Promise<{ id: string | null; name?: string } | Refusal> {
  if (!folderInput) return Refusal("folder_not_chosen");
  if (folderInput === ROOT_FOLDER) return { id: null };
  const tree = await readFolders(db, ownerId);
  const id = findFolderByIdOrPath(tree, folderInput);
  return id ? { id, name: tree.get(id)?.name } : Refusal("folder_not_found", { folder_id: folderInput });
}

/** A folder with the number of files and folders directly in it; `files` is null if they were not counted. */
export type ListedFolder = TrailStep & { files: number | null; folders: number };

/** With more folders on one page, their files are not counted. */
const COUNTED_MAX = 100;

export type ListedFolders = { folders: ListedFolder[]; page: FolderPage };

export async function listShownFolders(
  db: Db,
  ownerId: string,
  tree: FolderTree,
  parent_id: string | null,
  address: URL,
): Promise<ListedFolders> {
  const { shown, page } = cutFolderPage(listChildren(tree, parent_id), address);
  const counts = await countFolderFiles(
    db,
    ownerId,
    shown.slice(0, COUNTED_MAX).map(({ id }) => id),
  );
  const childrenById = groupChildren(tree);
  const folders = shown.map(({ id, name }) => ({
    ...{ id, name },
    files: counts.get(id) ?? null,
    folders: (childrenById.get(id) ?? []).filter(({ deleted_at }) => !deleted_at).length,
  }));
  return { folders, page };
}

export function requireListedFolder(tree: FolderTree, folder: string | undefined) {
  if (folder === undefined || folder === ROOT_FOLDER) return null;
  const trail = toTrail(tree, folder);
  const last = trail.at(-1);
  if (!last) throw toRefusalResponse(Refusal("folder_not_found", { folder_id: folder }));
  return { ...last, parent_id: trail.at(-2)?.id ?? null, trail };
}
