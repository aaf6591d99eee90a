import type { Db } from "#db/client.ts";
import type { Facet } from "#db/files/listing/file-facets.server.ts";
import { listIndex, toFilter } from "#db/files/listing/file-filters.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { eachTagOnce, listTagKeys, toTagKey } from "#domain/files/tags.ts";

/** So many files of a list are looked at, the newest: each page of a narrowed list reads them. */
const FILES_READ = 500;

type NarrowedFacets = {
  languages: Facet[];
  tags: Facet[];
  repos: Facet[];
  /** Whether the list has no more files than were looked at, so that the counts are of all. */
  isWhole: boolean;
};

/** The languages, tags and repositories of the files in a narrowed list, the most used first. */
export async function listNarrowedFacets(
  db: Db,
  ownerId: string,
  narrowing: Omit<FileNarrowing, "q">,
): Promise<NarrowedFacets> {
  const order = narrowing.category === "recent" ? "last_opened_at" : "created_at";
  const files = await db.files
    .find(toFilter(ownerId, narrowing), { hint: listIndex(narrowing) })
    .sort({ [order]: -1, _id: -1 })
    .limit(FILES_READ + 1)
    .project<{ language: string; tags: string[]; repo: string | null }>({ language: 1, tags: 1, repo: 1 })
    .toArray();
  const read = files.slice(0, FILES_READ);
  return {
    languages: countValues(read.map(({ language }) => language)),
    tags: countTags(read.map(({ tags }) => tags)),
    repos: countValues(read.flatMap(({ repo }) => repo ?? [])),
    isWhole: read.length === files.length,
  };
}

/** Each tag as the newest file spells it, one file once. */
function countTags(tagged: readonly string[][]): Facet[] {
  const spellings = eachTagOnce(tagged.flat());
  const shown = new Map(spellings.map((tag) => [toTagKey(tag), tag]));
  return countValues(tagged.flatMap((tags) => listTagKeys(tags).map((key) => shown.get(key) ?? key)));
}

function countValues(values: readonly string[]): Facet[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, same]) => ({ value, count: same.length }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
