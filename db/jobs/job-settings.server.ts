import type { Db } from "#db/client.ts";
import type { JobId } from "#domain/jobs/jobs.ts";

export async function setJobEnabled(db: Db, jobId: JobId, enabled: boolean): Promise<void> {
  await db.job_settings.updateOne({ _id: jobId }, { $set: { enabled } }, { upsert: true });
}

export async function listDisabledJobs(db: Db): Promise<Set<string>> {
  const docs = await db.job_settings.find({ enabled: false }).sort({ _id: 1 }).toArray();
  return new Set(docs.map(({ _id }) => _id));
}
