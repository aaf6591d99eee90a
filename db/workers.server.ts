import type { Db } from "#db/client.ts";
import type { Snapshot } from "#platform/metrics.ts";

/** A worker process says here that it is alive and what it has counted; web processes read it. */
export type WorkerDoc = { _id: string; started_at: Date; heartbeat_at: Date; metrics?: Snapshot };

const WORKERS_LISTED = 100;
const LIFE = { started_at: 1, heartbeat_at: 1 } as const;

export async function recordHeartbeat(
  db: Db,
  workerId: string,
  startedAt: Date,
  now: Date,
  metrics?: Snapshot,
): Promise<void> {
  await db.workers.updateOne(
    { _id: workerId },
    { $set: { heartbeat_at: now, metrics }, $setOnInsert: { started_at: startedAt } },
    { upsert: true },
  );
}

export async function removeWorker(db: Db, workerId: string): Promise<void> {
  await db.workers.deleteOne({ _id: workerId });
}

/** The moment any worker was last known to be alive, or null. */
export async function findLatestHeartbeat(db: Db): Promise<Date | null> {
  const [latest] = await db.workers.find().project<Life>(LIFE).sort({ heartbeat_at: -1 }).limit(1).toArray();
  return latest?.heartbeat_at ?? null;
}

type Life = Omit<WorkerDoc, "metrics">;
export type Worker = { worker_id: string; started_at: Date; heartbeat_at: Date };

/** Every worker that was heard of within a day, the latest heard first. */
export async function listWorkers(db: Db): Promise<Worker[]> {
  const docs = await db.workers
    .find()
    .project<Life>(LIFE)
    .sort({ heartbeat_at: -1 })
    .limit(WORKERS_LISTED)
    .toArray();
  return docs.map(({ _id, started_at, heartbeat_at }) => ({ worker_id: _id, started_at, heartbeat_at }));
}

export type WorkerMetrics = { worker_id: string; metrics: Snapshot };

/** What each worker that was heard of since has counted; nothing where it has not said yet. */
export async function listWorkerMetrics(db: Db, since: Date): Promise<WorkerMetrics[]> {
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
