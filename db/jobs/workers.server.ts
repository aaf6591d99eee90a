import type { Db } from "#db/client.ts";
import type { WorkerDoc, WorkerReport } from "#db/jobs/documents.ts";
import { WORKER_SILENCE_MAX_MS } from "#domain/jobs/worker-silence.ts";
import type { GitFaultCode } from "#domain/repos/repo.ts";
import type { Snapshot } from "#platform/metrics/metrics-snapshot.ts";

const WORKERS_LISTED = 100;
const LIFE = { started_at: 1, heartbeat_at: 1, git_fault: 1, isolation: 1 } as const;

export async function recordHeartbeat(
  db: Db,
  workerId: string,
  startedAt: Date,
  now: Date,
  report: WorkerReport = {},
): Promise<void> {
  await db.workers.updateOne(
    { _id: workerId },
    { $set: { heartbeat_at: now, ...report }, $setOnInsert: { started_at: startedAt } },
    { upsert: true },
  );
}

export async function removeWorker(db: Db, workerId: string): Promise<void> {
  await db.workers.deleteOne({ _id: workerId });
}

/**
 * Returns when any worker was last alive, or null. Heartbeats after `until` do not count: a worker wrote them before the clock
 * was set back, so they say nothing about now.
 */
export async function findLatestHeartbeat(db: Db, until?: Date): Promise<Date | null> {
  const filter = until ? { heartbeat_at: { $lte: until } } : {};
  const [latest] = await db.workers
    .find(filter)
    .project<Life>(LIFE)
    .sort({ heartbeat_at: -1 })
    .limit(1)
    .toArray();
  return latest?.heartbeat_at ?? null;
}

type Life = Omit<WorkerDoc, "metrics">;
type Worker = {
  worker_id: string;
  started_at: Date;
  heartbeat_at: Date;
  git_fault: GitFaultCode | null;
  /** Null until its first report. */
  isolation: Required<WorkerReport>["isolation"] | null;
};

const toWorker = ({ _id, git_fault = null, isolation, ...life }: Life): Worker => ({
  worker_id: _id,
  ...life,
  git_fault,
  isolation: isolation ?? null,
});

/** Lists all workers with a heartbeat within a day, the latest first. */
export async function listWorkers(db: Db): Promise<Worker[]> {
  return listWorkersSeenSince(db, new Date(0));
}

/** Lists the workers that respond, the latest heartbeat first. */
export async function listLivingWorkers(db: Db, now: Date): Promise<Worker[]> {
  return listWorkersSeenSince(db, new Date(now.getTime() - WORKER_SILENCE_MAX_MS));
}

async function listWorkersSeenSince(db: Db, since: Date): Promise<Worker[]> {
  const docs = await db.workers
    .find({ heartbeat_at: { $gte: since } })
    .project<Life>(LIFE)
    .sort({ heartbeat_at: -1 })
    .limit(WORKERS_LISTED)
    .toArray();
  return docs.map(toWorker);
}

type WorkerMetrics = { worker_id: string; metrics: Snapshot };

/** Returns the metrics of each living worker; empty until its first report. */
export async function listWorkerMetrics(db: Db, now: Date): Promise<WorkerMetrics[]> {
  const since = new Date(now.getTime() - WORKER_SILENCE_MAX_MS);
  const docs = await db.workers
    .find({ heartbeat_at: { $gte: since } })
    .sort({ heartbeat_at: -1 })
    .limit(WORKERS_LISTED)
    .toArray();
  return docs.map(({ _id, metrics }) => ({
    worker_id: _id,
    metrics: metrics ?? { values: [], histograms: [] },
  }));
}
