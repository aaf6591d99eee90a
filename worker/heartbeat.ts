import type { Db } from "#db/client.ts";
import type { WorkerReport } from "#db/jobs/documents.ts";
import { recordHeartbeat } from "#db/jobs/workers.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";

const HEARTBEAT_EVERY_MS = 5 * SECOND_MS;

type HeartbeatOptions = {
  db: Db;
  log: Log;
  clock: Clock;
  workerId: string;
  metrics: Metrics;
  /** Read at each heartbeat, because some values are only known later. */
  words: WorkerReport;
};

/** Records every few seconds that this worker is alive, with its metrics and missing layers. A failed heartbeat is made up for by the next. */
export async function startHeartbeat({
  db,
  log,
  clock,
  workerId,
  metrics,
  words,
}: HeartbeatOptions): Promise<{ stop(): void }> {
  const startedAt = clock();
  const recordBeat = async () => {
    const report = { ...words, metrics: await metrics.snapshot() };
    await recordHeartbeat(db, workerId, startedAt, clock(), report);
  };
  await recordBeat();
  const timer = setInterval(() => {
    recordBeat().catch((error) => log.warn("worker_heartbeat_failed", { error }));
  }, HEARTBEAT_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
