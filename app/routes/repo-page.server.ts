import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { HeadRepo } from "#app/components/repo-head.tsx";
import { requireUser } from "#app/http/gates.server.ts";
import { refusalResponse } from "#app/http/replies.server.ts";
import type { Shelf } from "#app/http/visit.ts";
import { findRun } from "#db/job-runs.server.ts";
import { type RepoNoteTally, tallyRepoNotes } from "#db/repo-notes.server.ts";
import { findRepo, type RepoRecord } from "#db/repos.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { repoPlace } from "#domain/repo-place.ts";
import { toTimestampOrNull } from "#domain/timestamp.ts";

export type OpenRepo = { ownerId: string; repo: RepoRecord; head: HeadRepo; tally: RepoNoteTally };

/** The repository that an address names. One that is not mirrored has its orphans to show, if there are any. */
export async function openRepo(args: LoaderFunctionArgs): Promise<OpenRepo> {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.shelf;
  const repo_name = args.params.name ?? "";
  const [repo, tally] = await Promise.all([
    findRepo(db, user.id, repo_name, clock()),
    tallyRepoNotes(db, user.id, repo_name),
  ]);
  if (repo) return { ownerId: user.id, repo, head: await headOf(args.context.shelf, repo, tally), tally };
  if (tally.byPath.size > 0) throw redirect(repoPlace(repo_name, "orphans"));
  throw refusalResponse(Refusal("repo_not_found", { repo_name }));
}

async function headOf({ db }: Shelf, repo: RepoRecord, tally: RepoNoteTally): Promise<HeadRepo> {
  return { ...(await freshnessOf(db, repo)), orphans: tally.orphans };
}

/** How far a mirror is. A sync that waits for a worker is under way for whoever asked for it. */
export async function freshnessOf(db: Shelf["db"], repo: RepoRecord) {
  const { repo_name, error, sync_run_id } = repo;
  const run = sync_run_id ? await findRun(db, sync_run_id) : null;
  const state = run?.status === "pending" && repo.last_sync_time ? "syncing" : repo.state;
  const progress = state === "syncing" && run?.total_items ? run.progress : null;
  return { repo_name, state, error, progress, last_sync_time: toTimestampOrNull(repo.last_sync_time) };
}
