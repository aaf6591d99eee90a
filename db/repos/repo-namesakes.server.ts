import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { readInPages } from "#db/core/pages.ts";
import type { RepoFileDoc } from "#db/repos/documents.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { baseName } from "#domain/repos/repo.ts";

/** The limit of listed paths per name. */
const NAMESAKES_MAX = 20;
const READ_AT_ONCE = 2_000;

/** Finds the paths of a mirror's files with one of these names, by name: a single walk over the paths for any number of names. */
export async function findNamesakes(
  db: Db,
  { id, user_id }: RepoRecord,
  names: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const pathsByName = new Map<string, string[]>();
  if (names.size === 0) return pathsByName;
  const paths = readInPages<RepoFileDoc, { path: string }>(db.repo_files, {
    filter: { repo_id: new ObjectId(id), user_id },
    order: { path: 1 },
    projection: { _id: 0 },
    pageSize: READ_AT_ONCE,
  });
  for await (const { path } of paths) {
    const name = baseName(path);
    const namesakes = pathsByName.get(name) ?? [];
    if (names.has(name) && namesakes.length < NAMESAKES_MAX) pathsByName.set(name, [...namesakes, path]);
  }
  return pathsByName;
}
