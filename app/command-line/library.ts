import { cleanName, failure, formatCount, usageFailure } from "./output.ts";
import { type Session, send, throwLost, toFailure } from "./requests.ts";

export const encodePath = (path: string) => path.split("/").map(encodeURIComponent).join("/");

export type RemoteFile = {
  id: string;
  path: string;
  version: number;
  size_bytes: number;
  updated_at: string;
  etag: string;
};

export type RemoteFolder = { id: string; path: string; name: string };
export type Contents = { folder_id: string | null; folders: RemoteFolder[]; files: RemoteFile[] };

export async function listContents(session: Session, path: string, deep = false): Promise<Contents | null> {
  const all: Contents = { folder_id: null, folders: [], files: [] };
  let cursor: string | undefined;
  do {
    const query = { path, deep: deep ? "1" : "0", cursor };
    const response = await send(session, "GET", "/api/tree", { query, allow: [404] });
    const page = await response.json();
    if (response.status === 404) {
      if (page.code === "folder_not_found") return null;
      throw toFailure(session, response, page);
    }
    all.folder_id = page.folder_id;
    all.folders.push(...page.folders);
    all.files.push(...page.files);
    cursor = page.next_cursor ?? undefined;
    session.output.showProgress(`Listing: ${formatCount(all.files.length, "file")}`);
  } while (cursor);
  return all;
}

export type Download = { bytes: Uint8Array; version: number; id: string };

async function readDownload(response: Response): Promise<Download> {
  const bytes = new Uint8Array(await response.arrayBuffer().catch(throwLost));
  const version = Number(response.headers.get("X-File-Version"));
  return { bytes, version, id: response.headers.get("X-File-Id") ?? "" };
}

export const downloadById = async (session: Session, id: string) =>
  readDownload(await send(session, "GET", `/api/file/${encodeURIComponent(id)}/content`));

export async function requireFile(session: Session, path: string, method: "GET" | "HEAD" = "GET") {
  const file = await downloadByPath(session, path, method);
  if (file) return file;
  throw failure("file_not_found", `There is no file “${cleanName(path)}” in the library.`);
}

export async function downloadByPath(session: Session, path: string, method: "GET" | "HEAD" = "GET") {
  if (path === "") return null;
  const response = await send(session, method, `/api/files/${encodePath(path)}`, { allow: [404] });
  if (response.ok) return readDownload(response);
  await response.body?.cancel();
  return null;
}

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts names regardless of case, and numbers by their value. */
export const byPath = (a: { path: string }, b: { path: string }) =>
  NAMES.compare(a.path, b.path) || (a.path < b.path ? -1 : 1);

export function parseLibraryPath(typed: string) {
  const names = typed.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw usageFailure(`“${cleanName(typed)}”: a path in the library has no “..”.`);
  return names.join("/");
}

export const joinPath = (folder: string, path: string) => (folder === "" ? path : `${folder}/${path}`);
export const getFolder = (path: string) => path.split("/").slice(0, -1).join("/");

export function listFolders(path: string) {
  const names = path.split("/").slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join("/"));
}

/** A path without the folders that another one goes through; case and accents of those do not matter. */
export const dropNames = (path: string, folder: string) =>
  folder === "" ? path : path.split("/").slice(folder.split("/").length).join("/");

export async function findByPath(session: Session, path: string): Promise<{ id: string; isFolder: boolean }> {
  const file = await downloadByPath(session, path, "HEAD");
  if (file) return { id: encodeURIComponent(file.id), isFolder: false };
  const contents = path === "" ? null : await listContents(session, path);
  if (!contents?.folder_id) throw failure("not_found", `There is no “${cleanName(path)}” in the library.`);
  return { id: encodeURIComponent(contents.folder_id), isFolder: true };
}

/** The library has a folder once regardless of case, and any name once regardless of how its accents are encoded. */
export function toComparablePath(path: string) {
  const nameStart = path.lastIndexOf("/") + 1;
  return path.slice(0, nameStart).normalize("NFC").toLowerCase() + path.slice(nameStart).normalize("NFC");
}

export const toFolderKey = (folder: string) => folder.normalize("NFC").toLowerCase();
