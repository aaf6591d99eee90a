import type { WebServices } from "#app/http/request-context.ts";
import { countAlerts } from "#db/alerts/alerts.server.ts";
import { listIndexRows } from "#db/index-report.server.ts";
import { listWorkers } from "#db/jobs/workers.server.ts";
import { DAY_MS, SECOND_MS } from "#domain/time/durations.ts";
import { toTimestamp, toTimestampOrNull } from "#domain/time/timestamp.ts";

const WORKER_SILENCE_MAX_MS = 30 * SECOND_MS;

/** How the product is, part by part. A part that cannot be asked is null and leaves the others standing. */
export async function checkHealth({ db, queue, clock }: WebServices) {
  const now = clock().getTime();
  const today = { start: new Date(now - DAY_MS), end: new Date(now + 1) };
  const [workers, backlog, indexes, alerts] = await Promise.all([
    listWorkers(db).catch(() => null),
    queue.backlog().catch(() => null),
    listIndexRows(db),
    countAlerts(db, today).catch(() => null),
  ]);
  const states = indexes.flatMap((row) => row.indexes.map(({ state }) => state));
  return {
    alerts,
    workers:
      workers?.map((worker) => ({
        worker_id: worker.worker_id,
        started_at: toTimestamp(worker.started_at),
        heartbeat_at: toTimestamp(worker.heartbeat_at),
        isolation: worker.isolation,
        alive: now - worker.heartbeat_at.getTime() <= WORKER_SILENCE_MAX_MS,
      })) ?? null,
    backlog: backlog?.map((row) => ({ ...row, oldest_at: toTimestampOrNull(row.oldest_at) })) ?? null,
    indexes: states.includes("unchecked") ? null : states.filter((state) => state !== "present").length,
  };
}
