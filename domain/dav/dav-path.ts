import { DavProblem } from "#domain/dav/dav-problem.ts";
import { checkFileName } from "#domain/files/file.ts";
import { FOLDER_DEPTH_MAX, toNameKey } from "#domain/files/folders/folder-tree.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { isRefusal } from "#domain/refusal.ts";

/** A path below `/dav/`, as names from the root; the root has none. */
export type DavPath = { names: readonly string[]; endsWithSlash: boolean };

export const DAV_ROOT = "/dav";

/** Takes an encoded path. */
export const isDavPath = (path: string): boolean => path === DAV_ROOT || path.startsWith(`${DAV_ROOT}/`);

/** Parses an encoded path. Names that no file can have are refused, `..` among them. */
export function parseDavPath(encoded: string): DavPath | DavProblem {
  if (!isDavPath(encoded) || encoded.includes("#")) return DavProblem(400, "The address is not valid.");
  const segments = encoded.slice(DAV_ROOT.length).split("/");
  const names: string[] = [];
  for (const segment of segments.filter((part) => part !== "")) {
    const name = decodeSegment(segment);
    if (name === null || isRefusal(checkFileName(name)))
      return DavProblem(400, "A file or folder cannot have this name.", { code: "invalid_file_name" });
    names.push(name);
  }
  if (names.length > FOLDER_DEPTH_MAX + 1)
    return DavProblem(403, `Folders can be up to ${FOLDER_DEPTH_MAX} deep.`, { code: "folder_too_deep" });
  return { names, endsWithSlash: encoded.endsWith("/") };
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Parses a `Destination`, or a tag of an `If` header: a URL of this server or only a path. */
export function parseDestination(header: string | null, host: string): DavPath | DavProblem {
  const destination = header?.trim() ?? "";
  const [, authority, path] = /^(?:https?:\/\/([^/?#]*))?(\/[^?#]*)$/i.exec(destination) ?? [];
  if (path === undefined) return DavProblem(400, "The Destination is not valid.");
  if (authority !== undefined && !isSameHost(authority, host))
    return DavProblem(502, "The Destination is on another server.");
  if (!isDavPath(path)) return DavProblem(403, "The Destination is outside of the library.");
  return parseDavPath(path);
}

/** The scheme's default port may be missing in one of the two. */
function isSameHost(authority: string, host: string): boolean {
  const withoutUser = authority.slice(authority.lastIndexOf("@") + 1);
  const withoutPort = (name: string) => name.toLowerCase().replace(/:(80|443)$/, "");
  return withoutPort(withoutUser) === withoutPort(host);
}

/** Returns the URL path of a resource; a folder's ends with a slash. */
export function toHref(names: readonly string[], isFolder: boolean): string {
  const path = [DAV_ROOT, ...names.map(encodeName)].join("/");
  return isFolder ? `${path}/` : path;
}

const encodeName = (name: string) =>
  encodeURIComponent(name).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/**
 * Returns the key of a path for its locks. Case does not count in folder names, as everywhere. A folder's key ends with a slash
 * and begins the keys of everything in it.
 */
export function toPathKey(names: readonly string[], isFolder: boolean): string {
  const folders = isFolder ? names : names.slice(0, -1);
  const folderKey = ["", ...folders.map(toNameKey), ""].join("/");
  return isFolder ? folderKey : folderKey + toComposedName(names.at(-1) ?? "");
}
