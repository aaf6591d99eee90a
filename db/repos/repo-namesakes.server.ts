import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { readInPages } from "#db/pages.ts";
import type { RepoFileDoc } from "#db/repos/documents.ts";
import type { RepoRecord } from "#db/repos/repos.server.ts";
import { baseName } from "#domain/repos/repo.ts";

/** How many of one name are listed. */
const NAMESAKES_MAX = 20;
const READ_AT_ONCE = 2_000;

/** The paths of a mirror's files that have one of these names, by name: one walk over the paths, however many names there are. */
export async function findNamesakes(
  db: Db,
  { id, user_id }: RepoRecord,
  names: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (names.size === 0) return found;
  const paths = readInPages<RepoFileDoc, { path: string }>(db.repo_files, {
    filter: { repo_id: new ObjectId(id), user_id },
    order: { path: 1 },
    projection: { _id: 0 },
    pageSize: READ_AT_ONCE,
  });
  for await (const { path } of paths) {
    const name = baseName(path);
    const known = found.get(name) ?? [];
    if (names.has(name) && known.length < NAMESAKES_MAX) found.set(name, [...known, path]);
  }
  return found;
}
