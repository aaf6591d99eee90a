import type { Db } from "#db/client.ts";
import { type FileRecord, toFile } from "#db/files/file-records.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { decodeNameCursor, encodeNameCursor } from "#domain/cursor.ts";
import { parseFolderNames } from "#domain/files/folders/file-path.ts";
import {
  type Folder,
  type FolderTree,
  findFolder,
  followPath,
  listSubtree,
} from "#domain/files/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

type ContentsQuery = {
  path: string;
  deep: boolean;
  cursor?: string;
  limit: number;
};
type FolderContents = {
  tree: FolderTree;
  folder_id: string | null;
  /** Only on the first page. */
  folders: Folder[];
  files: FileRecord[];
  next_cursor: string | null;
};

/** Stands for the root in a cursor; it sorts before every folder, as null does in the index. */
const ROOT_ID = "0".repeat(24);

export async function listFolderContents(
  db: Db,
  ownerId: string,
  { path, deep, cursor, limit }: ContentsQuery,
): Promise<FolderContents | Refusal> {
  const names = parseFolderNames(path === "" ? [] : path.split("/"));
  if (isRefusal(names)) return names;
  const from = cursor === undefined ? null : decodeNameCursor(cursor);
  if (cursor !== undefined && !from) return Refusal("invalid_cursor");
  const tree = await readFolders(db, ownerId);
  const trail = followPath(tree, names);
  if (trail.length < names.length) return Refusal("folder_not_found", { path });
  const folder_id = trail.at(-1)?.id ?? null;
  const folders = listFolders(tree, folder_id, deep);
  const folderIds = deep ? [folder_id, ...folders.map(({ id }) => id)] : [folder_id];
  const docs = await db.files
    .find(
      {
        ...living(ownerId),
        folder_id: { $in: from ? folderIds.filter((id) => (id ?? ROOT_ID) >= from.id) : folderIds },
        ...(from ? { $nor: [{ folder_id: toFolderId(from.id), file_name: { $lte: from.name } }] } : {}),
      },
      { hint: "living_name" },
    )
    .sort({ folder_id: 1, file_name: 1 })
    .limit(limit + 1)
    .toArray();
  const files = docs.slice(0, limit).map(toFile);
  const next_cursor = docs.length > limit ? toCursor(files.at(-1)) : null;
  return { tree, folder_id, folders: from ? [] : folders, files, next_cursor };
}

const toFolderId = (id: string) => (id === ROOT_ID ? null : id);

const toCursor = (file: FileRecord | undefined) =>
  file ? encodeNameCursor({ name: file.file_name, id: file.folder_id ?? ROOT_ID }) : null;

/** Lists the folders outside the trash directly in a folder, or all below it. */
function listFolders(tree: FolderTree, folder_id: string | null, deep: boolean): Folder[] {
  const subtreeIds = folder_id === null ? [...tree.keys()] : listSubtree(tree, folder_id);
  return subtreeIds
    .filter((id) => id !== folder_id)
    .flatMap((id) => findFolder(tree, id) ?? [])
    .filter(({ parent_id }) => deep || parent_id === folder_id);
}
