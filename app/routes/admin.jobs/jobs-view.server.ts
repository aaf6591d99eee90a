import { toWireRun } from "#app/operators/job-wire.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { Db } from "#db/client.ts";
import { countRuns, listRunPage } from "#db/jobs/job-run-lists.server.ts";
import { findRepoDoc } from "#db/repos/repos.server.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { isJobId } from "#domain/jobs/jobs.ts";
import { mapKeys } from "#domain/typed-keys.ts";
import { COUNTED_MAX, parseRunTab, RUN_TABS, type RunTab, TAB_QUERIES } from "./run-tabs.ts";

const RUNS_SHOWN = 50;

async function findRepoNames(db: Db, runs: readonly { payload?: Record<string, unknown> }[]) {
  const ids = new Set(runs.map(({ payload }) => payload?.repo_id).filter((id) => typeof id === "string"));
  const repoDocs = await Promise.all(Array.from(ids, (id) => findRepoDoc(db, id)));
  return new Map<unknown, string>(
    repoDocs.flatMap((repo) => (repo ? [[repo._id.toString(), repo.repo_name]] : [])),
  );
}

export async function readRuns({ db }: WebServices, address: URL) {
  const tab = parseRunTab(address.searchParams.get("tab"));
  const job = address.searchParams.get("job_id") ?? "";
  const job_id = isJobId(job) ? job : null;
  const after = decodeCursor(address.searchParams.get("cursor") ?? "");
  const query = (each: RunTab) => ({ ...TAB_QUERIES[each], ...(job_id ? { job_id } : {}) });
  const [{ runs, next }, ...counts] = await Promise.all([
    listRunPage(db, { ...query(tab), after, limit: RUNS_SHOWN }),
    ...RUN_TABS.map((each) => countRuns(db, { ...query(each), limit: COUNTED_MAX })),
  ]);
  const repos = await findRepoNames(db, runs);
  return {
    tab,
    job_id,
    isFirst: after === null,
    runs: runs.map((run) => ({ ...toWireRun(run), repo: repos.get(run.payload?.repo_id) ?? null })),
    next: next && encodeCursor(next),
    counts: mapKeys(RUN_TABS, (_, i) => counts[i] ?? 0),
  };
}
