import type { Db } from "#db/client.ts";
import type { JobId } from "#domain/jobs/jobs.ts";

export async function setJobEnabled(db: Db, jobId: JobId, enabled: boolean): Promise<void> {
  await db.job_settings.updateOne({ _id: jobId }, { $set: { enabled } }, { upsert: true });
}

export async function findJobSetting(db: Db, jobId: JobId): Promise<{ enabled: boolean; paused: boolean }> {
  const doc = await db.job_settings.findOne({ _id: jobId });
  return { enabled: doc?.enabled ?? true, paused: doc?.paused ?? false };
}

export async function listDisabledJobs(db: Db): Promise<Set<string>> {
  const docs = await db.job_settings.find({ enabled: false }).sort({ _id: 1 }).toArray();
  return new Set(docs.map(({ _id }) => _id));
}

/** A paused job starts no run: requested runs wait until it is resumed. */
export async function setJobPaused(db: Db, jobId: JobId, paused: boolean): Promise<void> {
  await db.job_settings.updateOne({ _id: jobId }, { $set: { paused } }, { upsert: true });
}

export async function listPausedJobs(db: Db): Promise<Set<string>> {
  const docs = await db.job_settings.find({ paused: true }).sort({ _id: 1 }).toArray();
  return new Set(docs.map(({ _id }) => _id));
}
