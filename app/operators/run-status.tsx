import { useText } from "#app/i18n/text.ts";
import type { RunStatus } from "#domain/jobs/job-run.ts";
import { isSilent } from "#domain/jobs/worker-silence.ts";

type RunEnd = { status: RunStatus; result: Readonly<Record<string, unknown>> | null };
type RunState = RunEnd & { heartbeat_at: string | null };

/** A run that ended but refused its input is not shown as a success. */
export const runLook = ({ status, result }: RunEnd): RunStatus | "refused" =>
  status === "completed" && result?.outcome === "refused" ? "refused" : status;

/** Names the status of a run. A running run whose worker sends no heartbeat is not responding. */
export function useRunStatus({ status, heartbeat_at, result }: RunState): string {
  const text = useText().jobs;
  if (runLook({ status, result }) === "refused") return text.outcomes.refused ?? text.statuses[status];
  const silent = status === "running" && heartbeat_at && isSilent(new Date(heartbeat_at), new Date());
  return silent ? text.silent : text.statuses[status];
}
