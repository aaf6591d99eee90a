import { listFilePage } from "#app/files/list/file-listing.server.ts";
import { readSearch } from "#app/search/search-request.ts";
import { type ShownHit, toShownHit } from "#app/search/shown-hit.server.ts";
import { suggestSpelling } from "#app/search/spelling.server.ts";
import type { Db } from "#db/client.ts";
import { listFacets } from "#db/files/listing/file-facets.server.ts";
import { readFolders } from "#db/folders/folders.server.ts";
import { search } from "#db/search/search.server.ts";
import { type FolderPath, walkFolders } from "#domain/folders/folder-choices.ts";
import type { FolderTree } from "#domain/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { folded } from "#domain/search/folded.ts";
import { completeFilters } from "#domain/search/search-query.ts";

const HITS_SHOWN = 8;
const FOLDERS_SHOWN = 5;

type Suggestions = {
  hits: ShownHit[];
  /** Folders that are called so, for going there or for moving a file there. */
  folders: FolderPath[];
  /** Each with the search that it makes of what is typed. */
  filters: { filter: string; q: string }[];
  /** What a search that finds nothing was probably meant to be. */
  meant: string | null;
  /** Where nothing is typed. */
  files: { id: string; file_name: string; language: string }[];
};

/** What is offered while somebody types: the best hits of the search and the filters that the last word may become. */
export async function findSuggestions(db: Db, ownerId: string, q: string, now: Date): Promise<Suggestions> {
  if (q.trim() === "")
    return { hits: [], folders: [], filters: [], meant: null, files: await listLatest(db, ownerId) };
  const request = readSearch({ q, limit: String(HITS_SHOWN) });
  const [found, facets, tree] = await Promise.all([
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
  const isNothing = found?.hits.length === 0 && folders.length === 0 && filters.length === 0;
  const meant = isNothing ? await suggestSpelling(db, ownerId, { q }, now) : null;
  return { hits: (found?.hits ?? []).map(toShownHit), filters, folders, meant, files: [] };
}

export async function listFoldersCalled(db: Db, ownerId: string, words: string): Promise<FolderPath[]> {
  return words === "" ? [] : findFolders(await readFolders(db, ownerId), words);
}

/** Those whose own name begins so come first, then those that have it anywhere in their path. */
function findFolders(tree: FolderTree, words: string): FolderPath[] {
  const needle = folded(words.trim());
  const [begun, others]: [FolderPath[], FolderPath[]] = [[], []];
  const foldedPaths = new Map<string | null, string>();
  for (const { id, parent_id, name, path } of walkFolders(tree)) {
    const place = parent_id === null ? "" : `${foldedPaths.get(parent_id)}/`;
    const foldedPath = place + folded(name);
    foldedPaths.set(id, foldedPath);
    const at = foldedPath.lastIndexOf(needle);
    if (at !== -1) (at === place.length ? begun : others).push({ id, path });
    if (begun.length === FOLDERS_SHOWN) break;
  }
  return [...begun, ...others].slice(0, FOLDERS_SHOWN);
}

/** The files opened last, or the newest ones where none was opened yet. */
async function listLatest(db: Db, ownerId: string): Promise<Suggestions["files"]> {
  const newest = { sort: "created_at_desc", limit: HITS_SHOWN } as const;
  const recent = await listFilePage(db, ownerId, { ...newest, category: "recent" });
  const isEmpty = isRefusal(recent) || recent.files.length === 0;
  const listing = isEmpty ? await listFilePage(db, ownerId, newest) : recent;
  return isRefusal(listing)
    ? []
    : listing.files.map(({ id, file_name, language }) => ({ id, file_name, language }));
}
