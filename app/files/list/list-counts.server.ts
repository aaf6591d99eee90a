import type { Listing } from "#app/files/list/file-listing.server.ts";
import type { Db } from "#db/client.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { type Facet, listFacets } from "#db/files/listing/file-facets.server.ts";
import { listNarrowedFacets } from "#db/files/listing/narrowed-facets.server.ts";
import { type FileNarrowing, isCategory } from "#domain/files/file-query.ts";
import { toTagKey } from "#domain/files/tags.ts";

const isNarrowed = (narrowing: FileNarrowing) =>
  Object.values(narrowing).some((value) => value !== undefined);

/** A filter with its number of files; null if not all files were counted. */
type OfferedFacet = { value: string; count: number | null };
type OfferedFacets = Record<Facets, OfferedFacet[]>;
type Facets = "languages" | "tags" | "repos";

type ReadFacets = () => ReturnType<typeof listFacets>;

/** Returns a function that reads the facets of the whole library at its first call and remembers them. */
export function createFacetReader(db: Db, ownerId: string): ReadFacets {
  let facets: ReturnType<ReadFacets> | null = null;
  return () => (facets ??= listFacets(db, ownerId));
}

/**
 * The filters that a list offers. Choosing another language replaces the current one, so languages are counted without it; the same holds
 * for tags and repositories. A search has no counts, because all matching files would have to be read.
 */
export async function listOfferedFacets(
  db: Db,
  ownerId: string,
  { q, lang, category, repo, folder }: FileNarrowing,
  readFacets: ReadFacets,
): Promise<OfferedFacets> {
  const counts = new Map<string, ReturnType<typeof countFacets>>();
  const count = (narrowing: FileNarrowing) => {
    const key = JSON.stringify(narrowing);
    const promise = counts.get(key) ?? countFacets(db, ownerId, narrowing, readFacets);
    counts.set(key, promise);
    return promise;
  };
  const [forLanguages, forTags, forRepos] = await Promise.all([
    count({ category, repo, folder }),
    count({ lang, repo, folder }),
    count({ lang, category, folder }),
  ]);
  const offer = (facets: Facet[], isCounted: boolean) =>
    isCounted && q === undefined ? facets : facets.map(({ value }) => ({ value, count: null }));
  return {
    languages: offer(forLanguages.languages, forLanguages.isWhole),
    tags: offer(forTags.tags, forTags.isWhole),
    repos: offer(forRepos.repos, forRepos.isWhole),
  };
}

/** A list that is too long to read offers the facets of the whole library; a folder offers those of its newest files. */
async function countFacets(db: Db, ownerId: string, narrowing: FileNarrowing, readFacets: ReadFacets) {
  if (!isNarrowed(narrowing)) return { ...(await readFacets()), isWhole: true };
  const facets = await listNarrowedFacets(db, ownerId, narrowing);
  if (facets.isWhole || narrowing.folder !== undefined) return facets;
  return { ...(await readFacets()), isWhole: false };
}

/** The number of files on all pages of a list; null for a search with several pages, which would all have to be read. */
export async function countListedFiles(
  db: Db,
  ownerId: string,
  { q, lang, category, repo, folder }: FileNarrowing,
  { files, next_cursor, prev_cursor }: Listing,
  readFacets: ReadFacets,
): Promise<number | null> {
  if (next_cursor === null && prev_cursor === null) return files.length;
  if (q !== undefined) return null;
  const narrowing = { lang, category, repo, folder };
  return (await findStoredCount(narrowing, readFacets)) ?? countFiles(db, ownerId, narrowing);
}

async function findStoredCount(
  { lang, category, repo, folder }: FileNarrowing,
  readFacets: ReadFacets,
): Promise<number | undefined> {
  const chosen = [lang, category, repo, folder].filter((value) => value !== undefined);
  const isStored = folder === undefined && !(category !== undefined && isCategory(category));
  if (chosen.length > 1 || !isStored) return undefined;
  const { files, languages, tags, repos } = await readFacets();
  if (chosen.length === 0) return files;
  if (category !== undefined) return tags.find(({ value }) => toTagKey(value) === toTagKey(category))?.count;
  const facets = lang !== undefined ? languages : repos;
  return facets.find(({ value }) => value === (lang?.toLowerCase() ?? repo))?.count;
}
