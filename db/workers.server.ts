import type { Db } from "#db/client.ts";

/** A worker process says here that it is alive; the readiness check of the web process reads it. */
export type WorkerDoc = { _id: string; started_at: Date; heartbeat_at: Date };

const WORKERS_LISTED = 100;

export async function recordHeartbeat(db: Db, workerId: string, startedAt: Date, now: Date): Promise<void> {
  await db.workers.updateOne(
    { _id: workerId },
    { $set: { heartbeat_at: now }, $setOnInsert: { started_at: startedAt } },
    { upsert: true },
  );
}

export async function removeWorker(db: Db, workerId: string): Promise<void> {
  await db.workers.deleteOne({ _id: workerId });
}

/** The moment any worker was last known to be alive, or null. */
export async function findLatestHeartbeat(db: Db): Promise<Date | null> {
  const [latest] = await db.workers.find().sort({ heartbeat_at: -1 }).limit(1).toArray();
  return latest?.heartbeat_at ?? null;
}

export type Worker = { worker_id: string; started_at: Date; heartbeat_at: Date };

/** Every worker that was heard of within a day, the latest heard first. */
export async function listWorkers(db: Db): Promise<Worker[]> {
  const docs = await db.workers.find().sort({ heartbeat_at: -1 }).limit(WORKERS_LISTED).toArray();
  return docs.map(({ _id, started_at, heartbeat_at }) => ({ worker_id: _id, started_at, heartbeat_at }));
}
