import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import type { HeadRepo } from "#app/repos/repo-head.tsx";
import type { ShownState } from "#app/repos/repo-status.tsx";
import { toRefusalResponse } from "#app/web/answers/replies.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import { requireUser } from "#app/web/session/gates.server.ts";
import { findRuns, type JobRun } from "#db/jobs/job-runs.server.ts";
import { listLivingWorkers } from "#db/jobs/workers.server.ts";
import { type RepoNoteTally, tallyRepoNotes } from "#db/notes/repos/repo-notes.server.ts";
import { findRepo, type RepoRecord } from "#db/repos/repos.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { repoPlace } from "#domain/repos/repo-place.ts";
import { itemAt } from "#domain/required.ts";
import { toTimestampOrNull } from "#domain/time/timestamp.ts";

type OpenRepo = { ownerId: string; repo: RepoRecord; head: HeadRepo; tally: RepoNoteTally };

/** Opens the repository that an address names. If it is no longer mirrored but has notes, redirects to its detached notes. */
export async function requireRepo(args: LoaderFunctionArgs): Promise<OpenRepo> {
  const { user } = await requireUser(args);
  const { db, clock } = args.context.services;
  const repo_name = args.params.name ?? "";
  const [repo, tally] = await Promise.all([
    findRepo(db, user.id, repo_name, clock()),
    tallyRepoNotes(db, user.id, repo_name),
  ]);
  if (repo)
    return {
      ownerId: user.id,
      repo,
      head: await readRepoHead(args.context.services, repo, tally.orphans),
      tally,
    };
  if (tally.byPath.size > 0) throw redirect(repoPlace(repo_name, "orphans"));
  throw toRefusalResponse(Refusal("repo_not_found", { repo_name }));
}

export async function readRepoHead(
  services: WebServices,
  repo: RepoRecord,
  orphans: number,
): Promise<HeadRepo> {
  const { url, has_token } = repo;
  return { ...itemAt((await readSyncStates(services, [repo])).fresh, 0), url, has_token, orphans };
}

/** Reads the sync state of all mirrors in two queries. `fault` is why no living worker can copy repositories. */
export async function readSyncStates(
  { db, clock }: Pick<WebServices, "db" | "clock">,
  repos: readonly RepoRecord[],
) {
  const [runs, workers] = await Promise.all([
    findRuns(
      db,
      repos.flatMap(({ sync_run_id }) => sync_run_id ?? []),
    ),
    listLivingWorkers(db, clock()),
  ]);
  const livingIds = new Set(workers.map(({ worker_id }) => worker_id));
  const fresh = repos.map((repo) => {
    const { repo_name, error, last_sync_time } = repo;
    const run = runs.get(repo.sync_run_id ?? "") ?? null;
    const state = chooseShownState(repo, run, livingIds);
    const progress = state === "syncing" && run?.total_items ? run.progress : null;
    return { repo_name, state, error, progress, last_sync_time: toTimestampOrNull(last_sync_time) };
  });
  const canSync = workers.some(({ git_fault }) => git_fault === null);
  return { fresh, fault: canSync ? null : (workers[0]?.git_fault ?? null) };
}

/** A requested sync counts as under way while a worker can take it. */
function chooseShownState(repo: RepoRecord, run: JobRun | null, livingIds: ReadonlySet<string>): ShownState {
  const { state, last_sync_time, files } = repo;
  if (state === "syncing") return state;
  const isRequested = run?.status === "pending" || run?.status === "running";
  const isAbandoned = run?.status === "running" && !livingIds.has(run.worker_id ?? "");
  if (isAbandoned || (livingIds.size === 0 && (isRequested || state === "waiting"))) return "unattended";
  if (isRequested && last_sync_time) return "syncing";
  return state === "ready" && files === 0 ? "empty" : state;
}
