import { DESCRIPTION_MAX } from "#domain/files/file.ts";
import { toVisibleName } from "#domain/files/visible-name.ts";

export type Gist = { description: string; files: GistFile[] };
export type GistFile = { name: string } & ({ body: string } | { missing: GistGap });

/** The reason for a missing text: the host cuts large texts, and its lists of gists have no texts. */
export type GistGap = "truncated" | "no_content";

export const GIST_JSON_MAX_BYTES = 8 * 1024 * 1024;
export const GISTS_MAX = 100;
export const GIST_FILES_MAX = 300;
export const GIST_URL_MAX = 500;

export const SINGLE_GISTS_FOLDER = "Gists";
const FOLDER_NAME_CHARACTERS = 80;
const NAMELESS = "gist";

/** Names the folder after the first line of the description, or after the first file. */
export function nameGistFolder({ description, files }: Gist): string {
  const [line = ""] = description.split("\n", 1);
  return toFolderName(line) || toFolderName(files[0]?.name ?? "") || NAMELESS;
}

function toFolderName(text: string): string {
  if (text === "") return "";
  const words = toVisibleName(text.toWellFormed())
    .replace(/[/\\\p{Cc}\s]+/gu, " ")
    .trim();
  const name = [...words].slice(0, FOLDER_NAME_CHARACTERS).join("").trim();
  return /^[._]*$/.test(name) ? "" : name;
}

export function cutGistDescription(description: string): string {
  return [...description.trim()].slice(0, DESCRIPTION_MAX).join("").trim();
}

const GIST_ID = /^[0-9a-f]{1,64}$/i;

/** Reads a gist's id from `gist.host/person/id` or `host/gist/person/id`, for the host of the given API. Returns null for other addresses. */
export function parseGistUrl(typedUrl: string, apiUrl: string): string | null {
  const url = URL.parse(typedUrl.trim());
  const api = new URL(apiUrl);
  if (!url || (url.protocol !== "https:" && url.protocol !== api.protocol)) return null;
  const host = api.hostname.replace(/^api\./, "");
  const isInside = url.hostname === host && url.pathname.startsWith("/gist/");
  if (url.hostname !== `gist.${host}` && !isInside) return null;
  const id = url.pathname.split("/").findLast((part) => part !== "") ?? "";
  return GIST_ID.test(id) ? id : null;
}
