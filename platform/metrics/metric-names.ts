/**
 * Every metric of `/metrics`. Other names do not compile, so dashboards and alert rules can be checked against this table.
 * Label values are from closed sets: a route pattern, a status, an event name.
 */
type MetricSpec = {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: readonly string[];
  /** The upper bounds of a histogram, in seconds. */
  bounds?: readonly number[];
};

const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LONG = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_200];

const counter = (help: string, ...labels: string[]): MetricSpec => ({ type: "counter", help, labels });
const gauge = (help: string, ...labels: string[]): MetricSpec => ({ type: "gauge", help, labels });
const defineHistogram = (help: string, bounds: readonly number[], ...labels: string[]): MetricSpec => ({
  type: "histogram",
  help,
  labels,
  bounds,
});

export const METRICS = {
  codeshelf_http_request_seconds: defineHistogram("Requests", QUICK, "route", "method", "status"),
  codeshelf_requests_at_work: gauge("Requests that are being worked on"),
  codeshelf_requests_shed_total: counter("Requests sent away because too many were being worked on"),
  codeshelf_slow_clients_total: counter("Clients cut because they sent or read too slowly", "phase"),
  codeshelf_events_total: counter("Events by name", "event"),
  codeshelf_events_dropped_total: counter("Events that gave way while the store was away"),
  codeshelf_events_refused_total: counter("Events that did not fit the catalogue", "event"),
  codeshelf_job_run_seconds: defineHistogram(
    "Runs of jobs by their end: completed, failed, or refused because of what a person gave",
    LONG,
    "job",
    "status",
  ),
  codeshelf_push_send_seconds: defineHistogram("Messages to push services by result", QUICK, "result"),
  codeshelf_sandbox_run_seconds: defineHistogram(
    "Programs in the sandbox, their wait included",
    LONG,
    "outcome",
  ),
  codeshelf_sandbox_layer: gauge(
    "Whether a layer of the sandbox holds on the worker's machine: 1 or 0",
    "layer",
  ),
  codeshelf_queue_waiting: gauge("Jobs that could start and wait", "job"),
  codeshelf_queue_active: gauge("Jobs being worked on", "job"),
  codeshelf_queue_oldest_seconds: gauge("How long the oldest waiting job waits", "job"),
  codeshelf_workers: gauge("Workers seen within 30 seconds"),
  codeshelf_backup_age_seconds: gauge("How old the newest backup is; absent where there is none"),
  codeshelf_backup_bytes: gauge("Size of the newest backup"),
  codeshelf_db_connections: gauge("Connections to the document store: open, and of these in use", "state"),
  codeshelf_db_checkouts_waiting: gauge("Questions that wait for a connection to the document store"),
  codeshelf_db_checkout_seconds: defineHistogram("How long questions waited for a connection", QUICK),
  codeshelf_db_checkout_failures_total: counter("Questions that got no connection", "reason"),
  codeshelf_thread_job_seconds: defineHistogram(
    "Work on threads by its end, its wait included",
    QUICK,
    "job",
    "outcome",
  ),
  codeshelf_thread_jobs_waiting: gauge("Work that waits for a thread"),
  codeshelf_threads: gauge("Threads for work on texts, busy and idle", "state"),
  nodejs_eventloop_lag_max_seconds: gauge("The longest that the event loop was held within the last minute"),
  nodejs_eventloop_lag_p99_seconds: gauge(
    "How late the event loop was in 99 of 100 cases within the last minute",
  ),
  process_resident_memory_bytes: gauge("Memory of the process"),
  process_uptime_seconds: gauge("How long the process is up"),
  nodejs_heap_used_bytes: gauge("Heap of the process"),
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof METRICS;

export function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(METRICS, name);
}
