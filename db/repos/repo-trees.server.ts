import type { Db } from "#db/client.ts";
import { findKnownPaths } from "#db/repos/repo-tree.server.ts";
import { findRepo, listRepos } from "#db/repos/repos.server.ts";
import type { MirroredTree } from "#domain/notes/orphans.ts";

/** Only whether a sync is at work depends on the moment, and that does not matter here. */
const ANY_MOMENT = new Date(0);

/** What the mirrored copy says of these paths. One that was never synced has no tree that could be read. */
export async function findTree(
  db: Db,
  ownerId: string,
  repoName: string,
  paths: readonly string[],
): Promise<{ tree: MirroredTree; last_sync_time: Date | null }> {
  const repo = await findRepo(db, ownerId, repoName, ANY_MOMENT);
  if (!repo) return { tree: { state: "absent" }, last_sync_time: null };
  const { last_sync_time } = repo;
  if (!last_sync_time) return { tree: { state: "unreadable" }, last_sync_time };
  const known = paths.length === 0 ? new Set<string>() : await findKnownPaths(db, repo, paths);
  return { tree: { state: "read", paths: known }, last_sync_time };
}

/** The names of what a person mirrors, synced or not. */
export async function listRepoNames(db: Db, ownerId: string): Promise<Set<string>> {
  return new Set((await listRepos(db, ownerId, ANY_MOMENT)).map(({ repo_name }) => repo_name));
}
