import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { findAccountStates } from "#db/accounts/account-state.server.ts";
import { removeOrphanedContents } from "#db/repos/repo-contents.server.ts";
import { deferSync, listDueRepos } from "#db/repos/repo-sync.server.ts";
import { finishRepoRemoval, listRemovedRepos } from "#db/repos/repos.server.ts";
import { isOpaqueId } from "#domain/opaque-id.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { readError } from "#platform/read-error.ts";
import type { WorkerServices } from "#worker/job.ts";

const DUE_AT_ONCE = 200;

/** Queues a sync for each due mirror. Mirrors of locked accounts are skipped until their next time. */
export async function queueDueRepos({ db, clock, requeue, mirror }: WorkerServices): Promise<number> {
  const now = clock();
  const next = new Date(now.getTime() + mirror.everyMinutes * MINUTE_MS);
  let queued = 0;
  const due = await listDueRepos(db, now, DUE_AT_ONCE);
  const accounts = await findAccountStates(
    db,
    due.map(({ user_id }) => user_id),
  );
  for (const repo of due) {
    if (!requeue || !(await deferSync(db, repo, next)) || accounts.get(repo.user_id)?.isLocked) continue;
    await requeue("repo_sync", "scheduled", { repo_id: repo._id.toHexString() }, repo.user_id);
    queued += 1;
  }
  return queued;
}

/** Finishes removals of mirrors, and deletes mirrors on this worker's disk whose record is gone. */
export async function removeUnmirrored({ db, clock, mirror }: WorkerServices): Promise<number> {
  let removed = 0;
  for (const repo of await listRemovedRepos(db)) if (await finishRepoRemoval(db, repo, clock())) removed += 1;
  for (const owner of await listNames(mirror.root)) {
    for (const name of await listNames(join(mirror.root, owner))) {
      const repoId = name.replace(/\.git$/, "");
      // A run that was active when its mirror was removed may have written after the removal.
      if (!isOpaqueId(repoId) || !(await removeOrphanedContents(db, repoId))) continue;
      await rm(join(mirror.root, owner, name), { recursive: true, force: true });
    }
  }
  return removed;
}

async function listNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (readError(error).code === "ENOENT") return [];
    throw error;
  }
}
