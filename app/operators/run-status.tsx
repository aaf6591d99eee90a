import { useText } from "#app/i18n/text.ts";
import type { RunStatus } from "#domain/jobs/job-run.ts";
import { isSilent } from "#domain/jobs/worker-silence.ts";

type RunState = { status: RunStatus; heartbeat_at: string | null };

/** The word for the state of a run. A running one whose worker sends no heartbeat is not responding. */
export function useRunStatus({ status, heartbeat_at }: RunState): string {
  const text = useText().jobs;
  const silent = status === "running" && heartbeat_at && isSilent(new Date(heartbeat_at), new Date());
  return silent ? text.silent : text.statuses[status];
}
