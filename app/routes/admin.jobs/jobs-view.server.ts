import type { WebServices } from "#app/http/request-context.ts";
import { runOnWire } from "#app/operators/job-wire.server.ts";
import { countRuns, listRunPage } from "#db/jobs/job-run-lists.server.ts";
import { decodeCursor, encodeCursor } from "#domain/cursor.ts";
import { isJobId } from "#domain/jobs/jobs.ts";
import { mapKeys } from "#domain/typed-keys.ts";
import { COUNTED_MAX, RUN_TABS, type RunTab, readTab, TAB_QUERIES } from "./run-tabs.ts";

const RUNS_SHOWN = 50;

/** The runs of one tab, of one job where one is chosen, and how many each tab has. */
export async function readRuns({ db }: WebServices, address: URL) {
  const tab = readTab(address.searchParams.get("tab"));
  const job = address.searchParams.get("job_id") ?? "";
  const job_id = isJobId(job) ? job : null;
  const after = decodeCursor(address.searchParams.get("cursor") ?? "");
  const query = (each: RunTab) => ({ ...TAB_QUERIES[each], ...(job_id ? { job_id } : {}) });
  const [{ runs, next }, ...counts] = await Promise.all([
    listRunPage(db, { ...query(tab), after, limit: RUNS_SHOWN }),
    ...RUN_TABS.map((each) => countRuns(db, { ...query(each), limit: COUNTED_MAX })),
  ]);
  return {
    tab,
    job_id,
    isFirst: after === null,
    runs: runs.map(runOnWire),
    next: next && encodeCursor(next),
    counts: mapKeys(RUN_TABS, (_, i) => counts[i] ?? 0),
  };
}
