import { isFolderId } from "#domain/files/folders/folder-tree.ts";
import { findLanguage } from "#domain/files/language.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import {
  parseSearchQuery,
  SEARCH_KINDS,
  type SearchKind,
  type SearchQuery,
} from "#domain/search/search-query.ts";

export const SEARCH_LIMIT_MAX = 50;
export const SEARCH_LIMIT = 20;
/** Nobody pages further than this; a narrower search finds more. */
const OFFSET_MAX = 200;

/** A search as an address states it: the typed text, and the filters that a form or a script adds. */
type SearchParameters = {
  q?: string;
  in?: string;
  lang?: string;
  tag?: string;
  folder?: string;
  limit?: string;
  cursor?: string;
};

export type SearchRequest = { query: SearchQuery; offset: number; limit: number };

export function readSearch(parameters: SearchParameters): SearchRequest | Refusal {
  const typed = parseSearchQuery(toTypedQuery(parameters));
  if (isRefusal(typed)) return typed;
  const kinds = readKinds(parameters.in);
  if (isRefusal(kinds)) return kinds;
  const folder = parameters.folder || null;
  if (folder !== null && !isFolderId(folder))
    return Refusal("invalid_query", {
      field: "folder",
      message: "The parameter “folder” must be the id of a folder.",
    });
  const limit = readNumber("limit", parameters.limit, SEARCH_LIMIT, { min: 1, max: SEARCH_LIMIT_MAX });
  if (isRefusal(limit)) return limit;
  const offset = readNumber("cursor", parameters.cursor, 0, { min: 0, max: OFFSET_MAX });
  if (isRefusal(offset)) return Refusal("invalid_cursor");
  return { query: { ...typed, folder, kinds: kinds.length > 0 ? kinds : typed.kinds }, offset, limit };
}

/** Adds the language and the tag of the form to the typed text, as if they were typed. */
export function toTypedQuery({ q = "", lang, tag }: SearchParameters): string {
  const filters = [lang && `lang:"${findLanguage(lang) ?? lang}"`, tag && `tag:"${tag}"`];
  return [q, ...filters.filter(Boolean)].join(" ");
}

function readKinds(text: string | undefined): SearchKind[] | Refusal {
  const kinds = (text ?? "").split(",").filter((kind) => kind !== "");
  const knownKinds = SEARCH_KINDS.filter((kind) => kinds.includes(kind));
  return knownKinds.length < new Set(kinds).size
    ? Refusal("invalid_query", { field: "in", allowed: SEARCH_KINDS })
    : knownKinds;
}

function readNumber(
  field: string,
  text: string | undefined,
  usual: number,
  { min, max }: { min: number; max: number },
): number | Refusal {
  if (text === undefined || text === "") return usual;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  return value < min || value > max ? Refusal("invalid_limit", { field, min, max }) : value;
}

export const previousCursor = ({ offset, limit }: SearchRequest): string | null =>
  offset > 0 ? String(Math.max(0, offset - limit)) : null;

export const nextCursor = ({ offset, limit }: SearchRequest): string | null =>
  offset + limit <= OFFSET_MAX ? String(offset + limit) : null;
