import { isPersonsSyncError } from "#domain/alerts/alert-rules.ts";
import type { EventName } from "#domain/events/events.ts";
import { JOB_IDS } from "#domain/jobs/jobs.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { hasKey } from "#domain/typed-keys.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";

type Measured = { event: string; [field: string]: unknown };
type Counters = Pick<Metrics, "count" | "observe">;
type Measure = (metrics: Counters, event: Measured) => void;

type RunEnd = "completed" | "failed" | "refused";

const runSeconds =
  (readEnd: (event: Measured) => RunEnd): Measure =>
  (metrics, event) => {
    const labels = { job: String(event.job_id), status: readEnd(event) };
    metrics.observe("codeshelf_job_run_seconds", Number(event.ms) / SECOND_MS, labels);
  };

/** What an event adds to the figures beside its own count. */
const MEASURES: Partial<Record<EventName, Measure>> = {
  job_completed: runSeconds(() => "completed"),
  // What a person gave is refused, which is nothing for an operator.
  job_failed: runSeconds(({ reason }) => (isPersonsSyncError(reason) ? "refused" : "failed")),
};

/** For a process that runs jobs, before its first run. */
export function startRunFigures(metrics: Metrics): void {
  for (const job of JOB_IDS)
    metrics.startAtZero("codeshelf_job_run_seconds", { job, status: "failed" satisfies RunEnd });
}

export function measureEvent(metrics: Counters, event: Measured): void {
  metrics.count("codeshelf_events_total", { event: event.event });
  if (hasKey(MEASURES, event.event)) MEASURES[event.event]?.(metrics, event);
}
