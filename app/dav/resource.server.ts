import { createFileEtag } from "#app/files/file-etag.ts";
import type { Db } from "#db/client.ts";
import { type DavFile, findDavFile } from "#db/dav/dav-files.server.ts";
import { findJunk, type JunkFile } from "#db/dav/dav-junk.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import type { Depth } from "#domain/dav/dav-headers.ts";
import type { DavPath } from "#domain/dav/dav-path.ts";
import { isJunkName } from "#domain/dav/junk-name.ts";
import { type Folder, followPath } from "#domain/files/folders/folder-tree.ts";

/**
 * The resource at a path. A file comes before a folder of the same name, unless the address ends with a slash. `parentId` is the folder
 * that the resource is or would be in: null for the root, undefined if that folder is missing.
 */
type ResourcePath = { names: readonly string[]; parentId: string | null | undefined };
export type FolderResource = ResourcePath & { kind: "folder"; folder: Folder | null };
export type FileResource = ResourcePath & DavFile & { kind: "file"; parentId: string | null };
export type JunkResource = ResourcePath & { kind: "junk"; junk: JunkFile; parentId: string | null };
type MissingResource = ResourcePath & { kind: "missing"; isJunk: boolean };
export type Resource = FolderResource | FileResource | JunkResource | MissingResource;

export type Transfer = { source: Resource; target: Resource; depth: Depth };

export async function findResource(
  db: Db,
  ownerId: string,
  { names, endsWithSlash }: DavPath,
  now: Date,
): Promise<Resource> {
  const name = names.at(-1);
  if (name === undefined) return { kind: "folder", names, parentId: null, folder: null };
  const followed = followPath(await readFolders(db, ownerId), names);
  const parentId = findParentId(followed, names.length);
  const folder = followed.length === names.length ? followed.at(-1) : undefined;
  if (folder && endsWithSlash) return { kind: "folder", names, parentId, folder };
  if (parentId === undefined) return { kind: "missing", names, parentId, isJunk: isJunkName(name) };
  const file = await findDavFile(db, ownerId, parentId, name);
  if (file) return { kind: "file", names, parentId, ...file };
  if (folder) return { kind: "folder", names, parentId, folder };
  const isJunk = isJunkName(name);
  const junk = isJunk ? await findJunk(db, ownerId, { folder_id: parentId, name }, now) : null;
  if (junk) return { kind: "junk", names, parentId, junk };
  return { kind: "missing", names, parentId, isJunk };
}

function findParentId(followed: readonly Folder[], length: number): string | null | undefined {
  if (length === 1) return null;
  return followed.length >= length - 1 ? followed[length - 2]?.id : undefined;
}

export function createResourceEtag(resource: Resource): string | null {
  if (resource.kind === "file") return createFileEtag(resource.file);
  return resource.kind === "junk" ? createJunkEtag(resource.junk) : null;
}

export const createJunkEtag = ({ tag }: Pick<JunkFile, "tag">): string => `"${tag}"`;
