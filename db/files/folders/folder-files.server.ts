import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { type FileRecord, findFileByName, toFile } from "#db/files/file-records.server.ts";
import {
  checkFolderExists,
  checkNoFolderNamed,
  findFolderIdAt,
  readFolders,
} from "#db/files/folders/folders.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { listMissingFileIds } from "#db/files/selection.server.ts";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import {
  type FolderTree,
  findFolder,
  findTrail,
  followPath,
  listSubtree,
} from "#domain/files/folders/folder-tree.ts";
import { README_NAMES } from "#domain/files/folders/readme.ts";
import { resolveRelativePath } from "#domain/files/folders/relative-address.ts";
import { listNameForms, toComposedName } from "#domain/files/name-forms.ts";
import { sortByName, toNameOrder } from "#domain/files/name-order.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

export async function findFileByPath(db: Db, ownerId: string, path: string): Promise<FileRecord | Refusal> {
  const target = parseFilePath(path);
  if (isRefusal(target)) return target;
  const folder_id = await findFolderIdAt(db, ownerId, target.folders);
  const file =
    folder_id === undefined ? null : await findFileByName(db, ownerId, target.file_name, folder_id);
  return file ?? Refusal("file_not_found", { path });
}

/** Finds the files of relative paths such as `../img/a.svg`; paths without a file are left out. */
export async function findFilesByRelativePath(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  paths: readonly string[],
): Promise<Map<string, FileRecord>> {
  if (paths.length === 0) return new Map();
  const tree = await readFolders(db, ownerId);
  const trail = (folder_id === null ? [] : (findTrail(tree, folder_id) ?? [])).map(({ name }) => name);
  const targets = paths.flatMap((path) => {
    const names = resolveRelativePath(trail, path);
    const file_name = names?.pop();
    const folderTrail = followPath(tree, names ?? []);
    if (!names || file_name === undefined || folderTrail.length !== names.length) return [];
    return [{ path, folder_id: folderTrail.at(-1)?.id ?? null, file_name }];
  });
  const byFolder = Map.groupBy(targets, (target) => target.folder_id);
  const entries = await Promise.all(
    [...byFolder].map(([folder, folderTargets]) => findFilesInFolder(db, ownerId, folder, folderTargets)),
  );
  return new Map(entries.flat());
}

type PathTarget = { path: string; file_name: string };

async function findFilesInFolder(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  targets: PathTarget[],
): Promise<[path: string, file: FileRecord][]> {
  const names = [...new Set(targets.flatMap(({ file_name }) => listNameForms(file_name)))];
  const docs = await db.files
    .find({ ...living(ownerId), folder_id, file_name: { $in: names } }, { hint: "living_name" })
    .toArray();
  const byName = new Map(docs.map((doc) => [doc.file_name, toFile(doc)]));
  return targets.flatMap(({ path, file_name }): [string, FileRecord][] => {
    const form = listNameForms(file_name).find((name) => byName.has(name));
    const file = form === undefined ? undefined : byName.get(form);
    return file ? [[path, file]] : [];
  });
}

export async function findReadme(db: Db, ownerId: string, folder_id: string): Promise<FileRecord | null> {
  const docs = await db.files
    .find({ ...living(ownerId), folder_id, file_name: { $in: [...README_NAMES] } }, { hint: "living_name" })
    .toArray();
  const getOrder = (name: string) => README_NAMES.indexOf(name);
  const [readme] = docs.map(toFile).sort((a, b) => getOrder(a.file_name) - getOrder(b.file_name));
  return readme ?? null;
}

export async function countFolderFiles(
  db: Db,
  ownerId: string,
  folderIds: readonly string[],
): Promise<Map<string, number>> {
  const entries = await Promise.all(
    folderIds.map(async (folder_id) => {
      const inFolder = { ...living(ownerId), folder_id };
      return [folder_id, await db.files.countDocuments(inFolder, { hint: "files_of_folder" })] as const;
    }),
  );
  return new Map(entries);
}

/** A file with its path relative to a folder: `lib/a.py`. */
export type FileWithin = { file: FileRecord; path: string };

/** Lists the files of a folder and its subfolders by path, outside the trash, up to the limit if there is one. */
export async function listFilesWithin(
  db: Db,
  ownerId: string,
  folder_id: string,
  limit = 0,
): Promise<FileWithin[] | Refusal> {
  const tree = await readFolders(db, ownerId);
  if (!findFolder(tree, folder_id)) return Refusal("folder_not_found", { folder_id });
  const prefixes = listRelativePaths(tree, folder_id);
  const docs = await db.files
    .find({ ...living(ownerId), folder_id: { $in: [...prefixes.keys()] } }, { hint: "files_of_folder" })
    .limit(limit)
    .toArray();
  const files = docs
    .map(toFile)
    .map((file) => ({ file, path: `${prefixes.get(file.folder_id ?? "") ?? ""}${file.file_name}` }));
  const getFolderOrder = createFolderOrder(tree, folder_id);
  return sortByName(
    files,
    ({ path }) => path,
    ({ file }) => getFolderOrder(file.folder_id) + toNameOrder(file.file_name),
  );
}

export async function listFilesBeside(
  db: Db,
  ownerId: string,
  { id, folder_id }: FileRecord,
  limit: number,
): Promise<FileWithin[]> {
  const folderFiles = folder_id ? await listFilesWithin(db, ownerId, folder_id, limit) : null;
  if (folderFiles && !isRefusal(folderFiles)) return folderFiles.filter(({ file }) => file.id !== id);
  const docs = await db.files
    .find({ ...living(ownerId), folder_id: null }, { hint: "files_of_folder" })
    .limit(limit)
    .toArray();
  const files = docs.map(toFile).filter((file) => file.id !== id);
  return sortByName(
    files.map((file) => ({ file, path: file.file_name })),
    ({ path }) => path,
  );
}

/** Maps the folders below this one, outside the trash, to their relative paths with a slash at the end; the folder itself has "". */
function listRelativePaths(tree: FolderTree, folder_id: string): Map<string, string> {
  const prefixes = new Map([[folder_id, ""]]);
  // Each folder comes after its parent.
  for (const id of listSubtree(tree, folder_id)) {
    const { parent_id, name, deleted_at } = required(tree.get(id));
    const parentPath = prefixes.get(parent_id ?? "");
    if (id !== folder_id && parentPath !== undefined && !deleted_at)
      prefixes.set(id, `${parentPath}${name}/`);
  }
  return prefixes;
}

/** Creates sort keys for the folders below this one by their paths. Each name is converted once, for any number of paths. */
function createFolderOrder(tree: FolderTree, folder_id: string): (within: string | null) => string {
  const orders = new Map<string | null, string>([[folder_id, ""]]);
  return function getFolderOrder(within): string {
    const knownOrder = orders.get(within);
    if (knownOrder !== undefined) return knownOrder;
    const { parent_id, name } = required(tree.get(within ?? ""));
    const order = `${getFolderOrder(parent_id)}${toNameOrder(name)}/`;
    orders.set(within, order);
    return order;
  };
}

/**
 * Moves files to a folder or to the root: all of them, or none if a file there has the name of one. If such a file appears in
 * between, the files before it are moved and the others refused; moving them again is harmless.
 */
export async function moveFiles(
  db: Db,
  ownerId: string,
  fileIds: string[],
  folder_id: string | null,
): Promise<number | Refusal> {
  const missing = await listMissingFileIds(db, ownerId, fileIds);
  if (missing.length > 0) return Refusal("files_not_found", { missing });
  const refusal = await checkFolderExists(db, ownerId, folder_id);
  if (refusal) return refusal;
  const chosen = { _id: { $in: fileIds.map((id) => new ObjectId(id)) }, ...living(ownerId) };
  const nameConflict = await findNameConflict(db, ownerId, chosen, folder_id);
  if (isRefusal(nameConflict)) return nameConflict;
  const moved = await skipDuplicate(db.files.updateMany(chosen, { $set: { folder_id } }));
  return moved?.matchedCount ?? Refusal("name_taken", {});
}

/** Refuses if two of the files have the same name, or if a file or folder in the target has the name of one. */
async function findNameConflict(
  db: Db,
  ownerId: string,
  chosen: { _id: { $in: ObjectId[] } },
  folder_id: string | null,
): Promise<Refusal | null> {
  const moved = await db.files.find(chosen).project<{ file_name: string }>({ file_name: 1 }).toArray();
  const names = moved.map(({ file_name }) => file_name);
  const composed = names.map(toComposedName);
  const duplicate = names.find((_, i) => composed.indexOf(composed[i] ?? "") !== i);
  if (duplicate !== undefined) return Refusal("name_taken", { file_name: duplicate });
  const existing = await db.files.findOne(
    {
      ...living(ownerId),
      folder_id,
      file_name: { $in: names.flatMap(listNameForms) },
      _id: { $nin: chosen._id.$in },
    },
    { projection: { file_name: 1 } },
  );
  if (existing) return Refusal("name_taken", { file_name: existing.file_name });
  return checkNoFolderNamed(db, ownerId, folder_id, names);
}
