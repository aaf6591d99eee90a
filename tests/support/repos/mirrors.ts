/**
 * Mirrors of the running test file: a worker's configuration in a fresh directory, and its jobs. Git runs isolated in a full run and in
 * tests that request it; without isolation it takes less than half the time.
 */

import { beforeAll } from "vitest";
import type { Db } from "#db/client.ts";
import type { RunProgress } from "#db/jobs/job-runs.server.ts";
import { createRepo, findRepo, type RepoRecord } from "#db/repos/repos.server.ts";
import type { JobId, JobPayload } from "#domain/jobs/jobs.ts";
import type { RepoRequest } from "#domain/repos/repo-schema.ts";
import { required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { dataKeys } from "#tests/support/accounts/data-keys.ts";
import type { TestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { isFullRun } from "#tests/support/test-runs/tier.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { HANDLERS } from "#worker/handlers.ts";
import type { JobHandler, WorkerServices } from "#worker/job.ts";
import type { MirrorConfig } from "#worker/mirror/config.ts";
import { findGitIsolation } from "#worker/mirror/git-isolation.ts";

type Mirrors = {
  config: MirrorConfig;
  services: WorkerServices;
  /** The jobs that other jobs have queued. */
  queued: [JobId, Record<string, unknown>][];
  reported: RunProgress[];
  run<Id extends JobId>(
    jobId: Id,
    payload: JobPayload<Id>,
    more?: { signal?: AbortSignal; db?: Db },
  ): Promise<Record<string, unknown>>;
  given(ownerId: string, request: RepoRequest): Promise<RepoRecord>;
  find(repo: RepoRecord): Promise<RepoRecord | null>;
  /** Syncs and returns the mirror's new state, even if the sync failed. */
  sync(repo: RepoRecord): Promise<RepoRecord>;
};

export function openMirrors(
  store: Pick<TestStore, "db" | "clock">,
  { isIsolated = isFullRun, ...limits }: Partial<MirrorConfig> & { isIsolated?: boolean } = {},
): Mirrors {
  const root = directoryOfFile("mirrors");
  const { db, clock } = store;
  const config: MirrorConfig = {
    root,
    allowLocal: true,
    dataKeys,
    everyMinutes: 60,
    timeoutMs: 60_000,
    maxBytes: 100_000_000,
    maxFiles: 20_000,
    maxBytesPerPerson: 1_000_000_000,
    ...limits,
  };
  beforeAll(async () => {
    if (isIsolated) config.isolation = await findGitIsolation(silentLog);
  });
  const queued: Mirrors["queued"] = [];
  const requeue: WorkerServices["requeue"] = async (jobId, _trigger, payload) =>
    queued.push([jobId, payload]);
  const services = createTestServices(store, { mirror: config, requeue });
  const reported: RunProgress[] = [];
  const run: Mirrors["run"] = (jobId, payload, { db: own = db, ...more } = {}) =>
    doJob(
      HANDLERS[jobId] as JobHandler<typeof jobId>,
      { ...services, db: own },
      {
        payload,
        report: async (progress) => void reported.push(progress),
        ...more,
      },
    );
  const find: Mirrors["find"] = ({ user_id, repo_name }) => findRepo(db, user_id, repo_name, clock());
  return {
    config,
    services,
    queued,
    reported,
    run,
    find,
    given: async (ownerId, wish) => {
      const repo = orThrow(await createRepo(db, ownerId, wish, { allowLocal: true, dataKeys }, clock()));
      return repo;
    },
    sync: async (repo) => {
      await run("repo_sync", { repo_id: repo.id }).catch(() => {});
      return required(await find(repo));
    },
  };
}
