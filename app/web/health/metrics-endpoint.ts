import { listBackups } from "#db/backups/backup-files.server.ts";
import type { Db } from "#db/client.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { listWorkerMetrics } from "#db/jobs/workers.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import type { MetricName } from "#platform/metrics/metric-names.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { Sample } from "#platform/metrics/metrics-snapshot.ts";
import { type LabelledSnapshot, metricsText } from "#platform/metrics/metrics-text.ts";

const ANSWER_WITHIN_MS = 2 * SECOND_MS;

type MetricsServices = {
  metrics: Metrics;
  db: Db;
  queue: Pick<Queue, "backlog">;
  clock: Clock;
  env: { backups: { directory: string } | null };
};

/**
 * Answers `/metrics`: this process's figures, the queue's, and the counters of every living worker with its name as a label. If a database
 * does not answer, its figures are absent, because zero would be wrong.
 */
export async function collectMetricsText({
  metrics,
  db,
  queue,
  clock,
  env,
}: MetricsServices): Promise<string> {
  const now = clock();
  const [waiting, workers, backups] = await Promise.all([
    resolveInTime(readQueueValues(queue, now).then((values) => [{ snapshot: { values, histograms: [] } }])),
    resolveInTime(readWorkerMetrics(db, now)),
    resolveInTime(readBackupMetrics(env.backups, now)),
  ]);
  return metricsText([{ snapshot: await metrics.snapshot() }, ...waiting, ...workers, ...backups]);
}

async function readQueueValues(queue: Pick<Queue, "backlog">, now: Date): Promise<Sample[]> {
  const backlog = await queue.backlog();
  return backlog.flatMap(({ job_id, waiting, active, oldest_at }) => {
    const gauge = (name: MetricName, value: number): Sample => ({ name, labels: { job: job_id }, value });
    const ageMs = oldest_at ? Math.max(0, now.getTime() - oldest_at.getTime()) : 0;
    return [
      gauge("codeshelf_queue_waiting", waiting),
      gauge("codeshelf_queue_active", active),
      gauge("codeshelf_queue_oldest_seconds", ageMs / SECOND_MS),
    ];
  });
}

async function readWorkerMetrics(db: Db, now: Date): Promise<LabelledSnapshot[]> {
  const workers = await listWorkerMetrics(db, now);
  const alive: Sample = { name: "codeshelf_workers", labels: {}, value: workers.length };
  return [
    { snapshot: { values: [alive], histograms: [] } },
    ...workers.map(({ worker_id, metrics: snapshot }) => ({ snapshot, labels: { worker: worker_id } })),
  ];
}

async function readBackupMetrics(
  config: { directory: string } | null,
  now: Date,
): Promise<LabelledSnapshot[]> {
  const [newest] = config ? await listBackups(config.directory) : [];
  if (!newest) return [];
  const ageMs = Math.max(0, now.getTime() - newest.created_at.getTime());
  const values: Sample[] = [
    { name: "codeshelf_backup_age_seconds", labels: {}, value: ageMs / SECOND_MS },
    { name: "codeshelf_backup_bytes", labels: {}, value: newest.bytes },
  ];
  return [{ snapshot: { values, histograms: [] } }];
}

async function resolveInTime(snapshots: Promise<LabelledSnapshot[]>): Promise<LabelledSnapshot[]> {
  const timeout = new Promise<LabelledSnapshot[]>((resolve) => {
    setTimeout(() => resolve([]), ANSWER_WITHIN_MS).unref();
  });
  return Promise.race([snapshots.catch(() => []), timeout]);
}
