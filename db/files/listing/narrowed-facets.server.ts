import type { Db } from "#db/client.ts";
import type { Facet } from "#db/files/listing/file-facets.server.ts";
import { chooseListIndex, toFilter } from "#db/files/listing/file-filters.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { dedupeTags, listTagKeys, toTagKey } from "#domain/files/tags.ts";

/** The newest files of a narrowed list that are read for its facets, for each of its pages. */
const FILES_READ = 500;

type NarrowedFacets = {
  languages: Facet[];
  tags: Facet[];
  repos: Facet[];
  /** True if the list has no more files than were read, so that the counts are complete. */
  isWhole: boolean;
};

export async function listNarrowedFacets(
  db: Db,
  ownerId: string,
  narrowing: Omit<FileNarrowing, "q">,
): Promise<NarrowedFacets> {
  const order = narrowing.category === "recent" ? "last_opened_at" : "created_at";
  const files = await db.files
    .find(toFilter(ownerId, narrowing), { hint: chooseListIndex(narrowing) })
    .sort({ [order]: -1, _id: -1 })
    .limit(FILES_READ + 1)
    .project<{ language: string; tags: string[]; repo: string | null }>({ language: 1, tags: 1, repo: 1 })
    .toArray();
  const countedFiles = files.slice(0, FILES_READ);
  return {
    languages: countValues(countedFiles.map(({ language }) => language)),
    tags: countTags(countedFiles.map(({ tags }) => tags)),
    repos: countValues(countedFiles.flatMap(({ repo }) => repo ?? [])),
    isWhole: countedFiles.length === files.length,
  };
}

/** Counts each tag in the spelling of the newest file, once per file. */
function countTags(tagLists: readonly string[][]): Facet[] {
  const spellings = dedupeTags(tagLists.flat());
  const spellingByKey = new Map(spellings.map((tag) => [toTagKey(tag), tag]));
  return countValues(
    tagLists.flatMap((tags) => listTagKeys(tags).map((key) => spellingByKey.get(key) ?? key)),
  );
}

function countValues(values: readonly string[]): Facet[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, group]) => ({ value, count: group.length }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
