import { languageNamed } from "#domain/files/language.ts";
import { isFolderId } from "#domain/folders/folder-tree.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import {
  parseSearchQuery,
  SEARCH_KINDS,
  type SearchKind,
  type SearchQuery,
} from "#domain/search/search-query.ts";

export const SEARCH_LIMIT_MAX = 50;
export const SEARCH_LIMIT = 20;
/** Nobody pages further than this; whoever wants more narrows the search. */
const OFFSET_MAX = 200;

/** As it comes in an address: what was typed, and what a form or a script narrows it to. */
type GivenSearch = {
  q?: string;
  in?: string;
  lang?: string;
  tag?: string;
  folder?: string;
  limit?: string;
  cursor?: string;
};

export type SearchRequest = { query: SearchQuery; offset: number; limit: number };

export function readSearch(given: GivenSearch): SearchRequest | Refusal {
  const typed = parseSearchQuery(writeQuery(given));
  if (isRefusal(typed)) return typed;
  const kinds = readKinds(given.in);
  if (isRefusal(kinds)) return kinds;
  const folder = given.folder || null;
  if (folder !== null && !isFolderId(folder))
    return Refusal("invalid_query", {
      field: "folder",
      message: "The parameter “folder” must be the id of a folder.",
    });
  const limit = readNumber("limit", given.limit, SEARCH_LIMIT, { min: 1, max: SEARCH_LIMIT_MAX });
  if (isRefusal(limit)) return limit;
  const offset = readNumber("cursor", given.cursor, 0, { min: 0, max: OFFSET_MAX });
  if (isRefusal(offset)) return Refusal("invalid_cursor");
  return { query: { ...typed, folder, kinds: kinds.length > 0 ? kinds : typed.kinds }, offset, limit };
}

/** A language or a tag beside what was typed narrows as if it were typed. */
export function writeQuery({ q = "", lang, tag }: GivenSearch): string {
  const filters = [lang && `lang:"${languageNamed(lang) ?? lang}"`, tag && `tag:"${tag}"`];
  return [q, ...filters.filter(Boolean)].join(" ");
}

function readKinds(text: string | undefined): SearchKind[] | Refusal {
  const given = (text ?? "").split(",").filter((kind) => kind !== "");
  const known = SEARCH_KINDS.filter((kind) => given.includes(kind));
  return known.length < new Set(given).size
    ? Refusal("invalid_query", { field: "in", allowed: SEARCH_KINDS })
    : known;
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

/** Where the page before begins; null on the first one. */
export const previousCursor = ({ offset, limit }: SearchRequest): string | null =>
  offset > 0 ? String(Math.max(0, offset - limit)) : null;

/** Where the next page begins; null where nobody pages further. */
export const nextCursor = ({ offset, limit }: SearchRequest): string | null =>
  offset + limit <= OFFSET_MAX ? String(offset + limit) : null;
