import { defineIndexes } from "#db/core/indexes/index-table.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";

export const JOB_INDEXES = defineIndexes({
  job_runs: [
    { name: "of_job", key: { job_id: 1, created_at: -1, _id: -1 } },
    { name: "in_status", key: { status: 1, created_at: -1, _id: -1 } },
    { name: "expiry", key: { created_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
    {
      name: "one_at_a_time",
      key: { exclusive_key: 1 },
      options: { unique: true, partialFilterExpression: { exclusive_key: { $exists: true } } },
    },
  ],
  job_settings: [],
  workers: [{ name: "expiry", key: { heartbeat_at: 1 }, options: { expireAfterSeconds: DAY_SECONDS } }],
});
