import type { Listing } from "#app/files/list/file-listing.server.ts";
import type { Db } from "#db/client.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { type Facet, listFacets } from "#db/files/listing/file-facets.server.ts";
import { listNarrowedFacets } from "#db/files/listing/narrowed-facets.server.ts";
import { type FileNarrowing, isCategory } from "#domain/files/file-query.ts";
import { toTagKey } from "#domain/files/tags.ts";

const isNarrowed = (narrowing: FileNarrowing) =>
  Object.values(narrowing).some((value) => value !== undefined);

/** A language, a tag or a repository that narrows a list, with the number of files that it leads to; null where they were not all counted. */
type OfferedFacet = { value: string; count: number | null };
type OfferedFacets = Record<Facets, OfferedFacet[]>;
type Facets = "languages" | "tags" | "repos";

type ReadFacets = () => ReturnType<typeof listFacets>;

/** Reads the facets of the whole library when they are first asked for; what a page asks for after that needs no further trip to the store. */
export function readFacetsOnce(db: Db, ownerId: string): ReadFacets {
  let facets: ReturnType<ReadFacets> | null = null;
  return () => (facets ??= listFacets(db, ownerId));
}

/**
 * What a list can be narrowed to. A chosen language gives way to another one, so that languages are counted without it, and tags
 * and repositories likewise. Files with words in them would all have to be read: there is no number then.
 */
export async function offerFacets(
  db: Db,
  ownerId: string,
  { q, lang, category, repo, folder }: FileNarrowing,
  readFacets: ReadFacets,
): Promise<OfferedFacets> {
  const counts = new Map<string, ReturnType<typeof countFacets>>();
  const count = (narrowing: FileNarrowing) => {
    const key = JSON.stringify(narrowing);
    const counted = counts.get(key) ?? countFacets(db, ownerId, narrowing, readFacets);
    counts.set(key, counted);
    return counted;
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

/** Of a list that is too long to be read, all that the library has is offered; of a folder, what its newest files have. */
async function countFacets(db: Db, ownerId: string, narrowing: FileNarrowing, readFacets: ReadFacets) {
  if (!isNarrowed(narrowing)) return { ...(await readFacets()), isWhole: true };
  const narrowed = await listNarrowedFacets(db, ownerId, narrowing);
  if (narrowed.isWhole || narrowing.folder !== undefined) return narrowed;
  return { ...(await readFacets()), isWhole: false };
}

/** How many files a list has on all its pages; null for words with more than a page of hits, which would all have to be read. */
export async function countListed(
  db: Db,
  ownerId: string,
  { q, lang, category, repo, folder }: FileNarrowing,
  { files, next_cursor, prev_cursor }: Listing,
  readFacets: ReadFacets,
): Promise<number | null> {
  if (next_cursor === null && prev_cursor === null) return files.length;
  if (q !== undefined) return null;
  const narrowing = { lang, category, repo, folder };
  return (await findKeptCount(narrowing, readFacets)) ?? countFiles(db, ownerId, narrowing);
}

/** The count that is kept of all files, or of those of one language, tag or repository. */
async function findKeptCount(
  { lang, category, repo, folder }: FileNarrowing,
  readFacets: ReadFacets,
): Promise<number | undefined> {
  const chosen = [lang, category, repo, folder].filter((value) => value !== undefined);
  const isKept = folder === undefined && !(category !== undefined && isCategory(category));
  if (chosen.length > 1 || !isKept) return undefined;
  const { files, languages, tags, repos } = await readFacets();
  if (chosen.length === 0) return files;
  if (category !== undefined) return tags.find(({ value }) => toTagKey(value) === toTagKey(category))?.count;
  const facets = lang !== undefined ? languages : repos;
  return facets.find(({ value }) => value === (lang?.toLowerCase() ?? repo))?.count;
}
