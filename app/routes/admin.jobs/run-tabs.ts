import type { RunStatus } from "#domain/jobs/job-run.ts";
import { isRoutine, JOB_IDS, type JobId } from "#domain/jobs/jobs.ts";

export const RUN_TABS = ["failed", "running", "waiting", "done", "dismissed"] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** Counting stops here; the tab then shows "999+". */
export const COUNTED_MAX = 1_000;

type TabQuery = {
  status: readonly RunStatus[];
  unretried?: true;
  dismissed?: boolean;
  job_id?: readonly JobId[];
};

const BUSY_JOBS = JOB_IDS.filter((jobId) => !isRoutine(jobId));

/** A failed run that was retried is listed as its retry. Jobs that run every few minutes are left out, because their runs would hide all others. */
export const TAB_QUERIES: Record<RunTab, TabQuery> = {
  failed: { status: ["failed"], unretried: true, dismissed: false },
  running: { status: ["running"] },
  waiting: { status: ["pending"] },
  done: { status: ["completed", "cancelled", "skipped"], job_id: BUSY_JOBS },
  dismissed: { status: ["failed"], unretried: true, dismissed: true },
};

/** Runs of this tab can be selected, because failures wait for a decision. */
export const isChosenFrom = (tab: RunTab): boolean => TAB_QUERIES[tab].status.includes("failed");

export function parseRunTab(text: string | null): RunTab {
  return RUN_TABS.find((tab) => tab === text) ?? "failed";
}

export function toRunTabAddress(tab: RunTab, more: { job_id?: string; cursor?: string } = {}): string {
  const query = new URLSearchParams({ tab, ...more });
  return `/admin/jobs?${query}#runs`;
}
