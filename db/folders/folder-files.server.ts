import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { isDuplicateKey } from "#db/faults.server.ts";
import { type FileRecord, findFileByName, toFile } from "#db/files/file-records.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { findMissing } from "#db/files/selection.server.ts";
import { checkFolder, checkNoFolderNamed, findFolderAt, readFolders } from "#db/folders/folders.server.ts";
import { listNameForms, toComposedName } from "#domain/files/name-forms.ts";
import { sortByName, toNameOrder } from "#domain/files/name-order.ts";
import { parseFilePath } from "#domain/folders/file-path.ts";
import {
  type FolderTree,
  findFolder,
  findTrail,
  followPath,
  listSubtree,
} from "#domain/folders/folder-tree.ts";
import { README_NAMES } from "#domain/folders/readme.ts";
import { resolveRelativePath } from "#domain/folders/relative-address.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

export async function findFileByPath(db: Db, ownerId: string, path: string): Promise<FileRecord | Refusal> {
  const place = parseFilePath(path);
  if (isRefusal(place)) return place;
  const folder_id = await findFolderAt(db, ownerId, place.folders);
  const file = folder_id === undefined ? null : await findFileByName(db, ownerId, place.file_name, folder_id);
  return file ?? Refusal("file_not_found", { path });
}

/** The living files that paths name, seen from a folder: `../img/a.svg`. What names none is left out. */
export async function findFilesByRelativePath(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  paths: readonly string[],
): Promise<Map<string, FileRecord>> {
  if (paths.length === 0) return new Map();
  const tree = await readFolders(db, ownerId);
  const trail = (folder_id === null ? [] : (findTrail(tree, folder_id) ?? [])).map(({ name }) => name);
  const places = paths.flatMap((path) => {
    const names = resolveRelativePath(trail, path);
    const file_name = names?.pop();
    const followed = followPath(tree, names ?? []);
    if (!names || file_name === undefined || followed.length !== names.length) return [];
    return [{ path, folder_id: followed.at(-1)?.id ?? null, file_name }];
  });
  const byFolder = Map.groupBy(places, (place) => place.folder_id);
  const found = await Promise.all(
    [...byFolder].map(([folder, named]) => findNamed(db, ownerId, folder, named)),
  );
  return new Map(found.flat());
}

type NamedPath = { path: string; file_name: string };

async function findNamed(
  db: Db,
  ownerId: string,
  folder_id: string | null,
  named: NamedPath[],
): Promise<[path: string, file: FileRecord][]> {
  const names = [...new Set(named.flatMap(({ file_name }) => listNameForms(file_name)))];
  const docs = await db.files
    .find({ ...living(ownerId), folder_id, file_name: { $in: names } }, { hint: "living_name" })
    .toArray();
  const byName = new Map(docs.map((doc) => [doc.file_name, toFile(doc)]));
  return named.flatMap(({ path, file_name }): [string, FileRecord][] => {
    const form = listNameForms(file_name).find((name) => byName.has(name));
    const file = form === undefined ? undefined : byName.get(form);
    return file ? [[path, file]] : [];
  });
}

/** The file right in a folder that describes it. */
export async function findReadme(db: Db, ownerId: string, folder_id: string): Promise<FileRecord | null> {
  const docs = await db.files
    .find({ ...living(ownerId), folder_id, file_name: { $in: [...README_NAMES] } }, { hint: "living_name" })
    .toArray();
  const order = (name: string) => README_NAMES.indexOf(name);
  const [first] = docs.map(toFile).sort((a, b) => order(a.file_name) - order(b.file_name));
  return first ?? null;
}

/** How many living files are right in each of these folders. */
export async function countFolderFiles(
  db: Db,
  ownerId: string,
  folderIds: readonly string[],
): Promise<Map<string, number>> {
  const counted = await Promise.all(
    folderIds.map(async (folder_id) => {
      const within = { ...living(ownerId), folder_id };
      return [folder_id, await db.files.countDocuments(within, { hint: "files_of_folder" })] as const;
    }),
  );
  return new Map(counted);
}

/** A file and where it is within the folder: `lib/a.py`. */
export type FileWithin = { file: FileRecord; path: string };

/** The living files within a folder and the folders in it, by their paths: all of them, or as many as the limit says. */
export async function listFilesWithin(
  db: Db,
  ownerId: string,
  folder_id: string,
  limit = 0,
): Promise<FileWithin[] | Refusal> {
  const tree = await readFolders(db, ownerId);
  if (!findFolder(tree, folder_id)) return Refusal("folder_not_found", { folder_id });
  const places = listPlaces(tree, folder_id);
  const docs = await db.files
    .find({ ...living(ownerId), folder_id: { $in: [...places.keys()] } }, { hint: "files_of_folder" })
    .limit(limit)
    .toArray();
  const files = docs
    .map(toFile)
    .map((file) => ({ file, path: `${places.get(file.folder_id ?? "") ?? ""}${file.file_name}` }));
  const getPlaceOrder = orderPlaces(tree, folder_id);
  return sortByName(
    files,
    ({ path }) => path,
    ({ file }) => getPlaceOrder(file.folder_id) + toNameOrder(file.file_name),
  );
}

/** The files of its folder, and those below it, beside a file. At the root it is the files right there. */
export async function listFilesBeside(
  db: Db,
  ownerId: string,
  { id, folder_id }: FileRecord,
  limit: number,
): Promise<FileWithin[]> {
  const within = folder_id ? await listFilesWithin(db, ownerId, folder_id, limit) : null;
  if (within && !isRefusal(within)) return within.filter(({ file }) => file.id !== id);
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

/** Where each living folder below this one is, seen from it, with a slash at the end: itself is at `""`. */
function listPlaces(tree: FolderTree, folder_id: string): Map<string, string> {
  const places = new Map([[folder_id, ""]]);
  // Each comes after the folder that it is in.
  for (const id of listSubtree(tree, folder_id)) {
    const { parent_id, name, deleted_at } = required(tree.get(id));
    const place = places.get(parent_id ?? "");
    if (id !== folder_id && place !== undefined && !deleted_at) places.set(id, `${place}${name}/`);
  }
  return places;
}

/** The order of what is in a folder below this one, by its path. Each name is looked at once, however many paths have it. */
function orderPlaces(tree: FolderTree, folder_id: string): (within: string | null) => string {
  const known = new Map<string | null, string>([[folder_id, ""]]);
  return function getPlaceOrder(within): string {
    const before = known.get(within);
    if (before !== undefined) return before;
    const { parent_id, name } = required(tree.get(within ?? ""));
    const order = `${getPlaceOrder(parent_id)}${toNameOrder(name)}/`;
    known.set(within, order);
    return order;
  };
}

/**
 * Moves files to a folder, or to the root: all of them, or none where a file there has the name of one. Where such a file comes in
 * between, those before it are moved and the rest refused; moving again is harmless.
 */
export async function moveFiles(
  db: Db,
  ownerId: string,
  fileIds: string[],
  folder_id: string | null,
): Promise<number | Refusal> {
  const missing = await findMissing(db, ownerId, fileIds);
  if (missing.length > 0) return Refusal("files_not_found", { missing });
  const noFolder = await checkFolder(db, ownerId, folder_id);
  if (noFolder) return noFolder;
  const chosen = { _id: { $in: fileIds.map((id) => new ObjectId(id)) }, ...living(ownerId) };
  const taken = await findTaken(db, ownerId, chosen, folder_id);
  if (isRefusal(taken)) return taken;
  try {
    return (await db.files.updateMany(chosen, { $set: { folder_id } })).matchedCount;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return Refusal("name_taken", {});
  }
}

/** The refusal where one of the files has the name of another one of them, or of a file or a folder that is there. */
async function findTaken(
  db: Db,
  ownerId: string,
  chosen: { _id: { $in: ObjectId[] } },
  folder_id: string | null,
): Promise<Refusal | null> {
  const moved = await db.files.find(chosen).project<{ file_name: string }>({ file_name: 1 }).toArray();
  const names = moved.map(({ file_name }) => file_name);
  const composed = names.map(toComposedName);
  const twice = names.find((_, i) => composed.indexOf(composed[i] ?? "") !== i);
  if (twice !== undefined) return Refusal("name_taken", { file_name: twice });
  const there = await db.files.findOne(
    {
      ...living(ownerId),
      folder_id,
      file_name: { $in: names.flatMap(listNameForms) },
      _id: { $nin: chosen._id.$in },
    },
    { projection: { file_name: 1 } },
  );
  if (there) return Refusal("name_taken", { file_name: there.file_name });
  return checkNoFolderNamed(db, ownerId, folder_id, names);
}
