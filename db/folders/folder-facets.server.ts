import type { Db } from "#db/client.ts";
import type { Facet } from "#db/files/file-facets.server.ts";
import { living } from "#db/files/files.server.ts";

/** So many files of a folder are looked at, the newest. */
const FILES_READ = 1_000;

type FolderFacets = { languages: Facet[]; tags: Facet[]; repos: Facet[] };

/** The languages, tags and repositories of the files right in a folder, the most used first. */
export async function listFolderFacets(db: Db, ownerId: string, folder_id: string): Promise<FolderFacets> {
  const files = await db.files
    .find({ ...living(ownerId), folder_id }, { hint: "files_of_folder" })
    .sort({ created_at: -1, _id: -1 })
    .limit(FILES_READ)
    .project<{ language: string; tags: string[]; repo: string | null }>({ language: 1, tags: 1, repo: 1 })
    .toArray();
  return {
    languages: countValues(files.map(({ language }) => language)),
    tags: countValues(files.flatMap(({ tags }) => tags)),
    repos: countValues(files.flatMap(({ repo }) => repo ?? [])),
  };
}

function countValues(values: readonly string[]): Facet[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, same]) => ({ value, count: same.length }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
