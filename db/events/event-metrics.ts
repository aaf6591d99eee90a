import type { EventName } from "#domain/events/events.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Metrics } from "#platform/metrics.ts";

type Measured = { event: string; [field: string]: unknown };
type Measure = (metrics: Metrics, event: Measured) => void;

const runSeconds =
  (status: string): Measure =>
  (metrics, { ms, job_id }) =>
    metrics.observe("codeshelf_job_run_seconds", Number(ms) / SECOND_MS, { job: String(job_id), status });

/** What an event adds to the figures beside its own count. */
const MEASURES: Partial<Record<EventName, Measure>> = {
  job_completed: runSeconds("completed"),
  job_failed: runSeconds("failed"),
};

export function measureEvent(metrics: Metrics, event: Measured): void {
  metrics.count("codeshelf_events_total", { event: event.event });
  MEASURES[event.event as EventName]?.(metrics, event);
}
