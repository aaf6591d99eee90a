import { listFilePage } from "#app/files/list/file-listing.server.ts";
import { readSearch } from "#app/search/search-request.ts";
import { type ShownHit, toShownHit } from "#app/search/shown-hit.server.ts";
import { suggestSpelling } from "#app/search/spelling.server.ts";
import type { Db } from "#db/client.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { listFacets } from "#db/files/listing/file-facets.server.ts";
import { search } from "#db/search/search.server.ts";
import { type FolderPath, walkFolders } from "#domain/files/folders/folder-choices.ts";
import type { FolderTree } from "#domain/files/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { completeFilters } from "#domain/search/search-query.ts";
import { foldCase } from "#domain/text/folded.ts";

const HITS_SHOWN = 8;
const FOLDERS_SHOWN = 5;

type Suggestions = {
  hits: ShownHit[];
  /** Folders with this name, to open or to move a file there. */
  folders: FolderPath[];
  /** Each filter with the search that results from it. */
  filters: { filter: string; q: string }[];
  /** A corrected spelling, if the search finds nothing. */
  meant: string | null;
  /** Shown while nothing is typed. */
  files: { id: string; file_name: string; language: string }[];
};

/** Suggests while a person types: the best hits, and the filters that the last word can become. */
export async function findSuggestions(db: Db, ownerId: string, q: string, now: Date): Promise<Suggestions> {
  if (q.trim() === "")
    return { hits: [], folders: [], filters: [], meant: null, files: await listLatest(db, ownerId) };
  const request = readSearch({ q, limit: String(HITS_SHOWN) });
  const [answer, facets, tree] = await Promise.all([
    isRefusal(request) ? null : search(db, ownerId, request.query, { ...request, now }),
    listFacets(db, ownerId),
    readFolders(db, ownerId),
  ]);
  const choices = {
    languages: facets.languages.map(({ value }) => value),
    tags: facets.tags.map(({ value }) => value),
  };
  const filters = completeFilters(q, choices).map((filter) => ({ filter, q: q.replace(/\S+$/, filter) }));
  const folders = findFolders(tree, q);
  const isNothing = answer?.hits.length === 0 && folders.length === 0 && filters.length === 0;
  const meant = isNothing ? await suggestSpelling(db, ownerId, { q }, now) : null;
  return { hits: (answer?.hits ?? []).map(toShownHit), filters, folders, meant, files: [] };
}

export async function findFoldersByName(db: Db, ownerId: string, query: string): Promise<FolderPath[]> {
  return query === "" ? [] : findFolders(await readFolders(db, ownerId), query);
}

/** Finds folders by text. Folders whose own name begins with it come first, then those that have it anywhere in their path. */
function findFolders(tree: FolderTree, query: string): FolderPath[] {
  const needle = foldCase(query.trim());
  const [prefixMatches, otherMatches]: [FolderPath[], FolderPath[]] = [[], []];
  const foldedPaths = new Map<string | null, string>();
  for (const { id, parent_id, name, path } of walkFolders(tree)) {
    const parentPath = parent_id === null ? "" : `${foldedPaths.get(parent_id)}/`;
    const foldedPath = parentPath + foldCase(name);
    foldedPaths.set(id, foldedPath);
    const index = foldedPath.lastIndexOf(needle);
    if (index !== -1) (index === parentPath.length ? prefixMatches : otherMatches).push({ id, path });
    if (prefixMatches.length === FOLDERS_SHOWN) break;
  }
  return [...prefixMatches, ...otherMatches].slice(0, FOLDERS_SHOWN);
}

/** Lists the files opened last, or the newest ones if none was opened yet. */
async function listLatest(db: Db, ownerId: string): Promise<Suggestions["files"]> {
  const newest = { sort: "created_at_desc", limit: HITS_SHOWN } as const;
  const recent = await listFilePage(db, ownerId, { ...newest, category: "recent" });
  const isEmpty = isRefusal(recent) || recent.files.length === 0;
  const listing = isEmpty ? await listFilePage(db, ownerId, newest) : recent;
  return isRefusal(listing)
    ? []
    : listing.files.map(({ id, file_name, language }) => ({ id, file_name, language }));
}
