import type { Db } from "#db/client.ts";
import { findKnownPaths } from "#db/repos/repo-tree.server.ts";
import { findRepo, listRepos } from "#db/repos/repos.server.ts";
import type { MirroredTree } from "#domain/notes/orphans.ts";

/** The time only decides if a sync is running, which does not matter here. */
const ANY_MOMENT = new Date(0);

/** Looks up paths in the mirror. A mirror that was never synced has no readable tree. */
export async function findMirroredPaths(
  db: Db,
  ownerId: string,
  repoName: string,
  paths: readonly string[],
): Promise<{ tree: MirroredTree; last_sync_time: Date | null }> {
  const repo = await findRepo(db, ownerId, repoName, ANY_MOMENT);
  if (!repo) return { tree: { state: "absent" }, last_sync_time: null };
  const { last_sync_time } = repo;
  if (!last_sync_time) return { tree: { state: "unreadable" }, last_sync_time };
  const knownPaths = paths.length === 0 ? new Set<string>() : await findKnownPaths(db, repo, paths);
  return { tree: { state: "read", paths: knownPaths }, last_sync_time };
}

export async function listRepoNames(db: Db, ownerId: string): Promise<Set<string>> {
  return new Set((await listRepos(db, ownerId, ANY_MOMENT)).map(({ repo_name }) => repo_name));
}
