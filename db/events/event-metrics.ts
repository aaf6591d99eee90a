import { isPersonsSyncError } from "#domain/alerts/alert-rules.ts";
import type { EventName } from "#domain/events/events.ts";
import { JOB_IDS } from "#domain/jobs/jobs.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { hasKey } from "#domain/typed-keys.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";

type MeasuredEvent = { event: string; [field: string]: unknown };
type Counters = Pick<Metrics, "count" | "observe">;
type Measure = (metrics: Counters, event: MeasuredEvent) => void;

type RunEnd = "completed" | "failed" | "refused";

const createRunMeasure =
  (readEnd: (event: MeasuredEvent) => RunEnd): Measure =>
  (metrics, event) => {
    const labels = { job: String(event.job_id), status: readEnd(event) };
    metrics.observe("codeshelf_job_run_seconds", Number(event.ms) / SECOND_MS, labels);
  };

/** The metrics of an event besides its count. */
const MEASURES: Partial<Record<EventName, Measure>> = {
  job_completed: createRunMeasure(() => "completed"),
  // Refused input of a person is no failure for an operator.
  job_failed: createRunMeasure(({ reason }) => (isPersonsSyncError(reason) ? "refused" : "failed")),
};

/** Called before the first run by processes that run jobs. */
export function startRunMetrics(metrics: Metrics): void {
  for (const job of JOB_IDS)
    metrics.startAtZero("codeshelf_job_run_seconds", { job, status: "failed" satisfies RunEnd });
}

export function measureEvent(metrics: Counters, event: MeasuredEvent): void {
  metrics.count("codeshelf_events_total", { event: event.event });
  if (hasKey(MEASURES, event.event)) MEASURES[event.event]?.(metrics, event);
}
