import { defineIndexes } from "#db/core/indexes/index-table.ts";
import { DAY_SECONDS } from "#domain/time/durations.ts";

export const REPO_INDEXES = defineIndexes({
  repos: [
    {
      name: "name",
      key: { user_id: 1, named: 1 },
      options: { unique: true, partialFilterExpression: { named: { $gt: "" } } },
    },
    {
      name: "slot",
      key: { user_id: 1, slot: 1 },
      options: { unique: true, partialFilterExpression: { slot: { $gte: 0 } } },
    },
    { name: "by_address", key: { url_key: 1, _id: 1 } },
    { name: "due", key: { next_sync_at: 1 } },
    {
      name: "held",
      key: { "lease.until": 1 },
      options: { partialFilterExpression: { "lease.until": { $gt: new Date(0) } } },
    },
    {
      name: "removed",
      key: { removed_at: 1 },
      options: { partialFilterExpression: { removed_at: { $gt: new Date(0) } } },
    },
  ],
  repo_files: [
    { name: "by_path", key: { repo_id: 1, path: 1 }, options: { unique: true } },
    { name: "by_directory", key: { repo_id: 1, dir: 1, path: 1 } },
    { name: "by_blob", key: { repo_id: 1, blob: 1 } },
    {
      name: "by_number",
      key: { repo_id: 1, n: 1 },
      options: { unique: true, partialFilterExpression: { n: { $gte: 0 } } },
    },
    {
      name: "unindexed",
      key: { repo_id: 1, unindexed: 1, path: 1 },
      options: { partialFilterExpression: { unindexed: true } },
    },
  ],
  repo_folders: [
    { name: "by_path", key: { repo_id: 1, path: 1 }, options: { unique: true } },
    { name: "by_directory", key: { repo_id: 1, dir: 1, path: 1 } },
  ],
  repo_texts: [{ name: "of_repo", key: { repo_id: 1 } }],
  repo_renames: [{ name: "by_path", key: { repo_id: 1, from: 1 }, options: { unique: true } }],
  repo_commits: [
    { name: "by_time", key: { repo_id: 1, at: -1, commit: -1 } },
    { name: "by_path", key: { repo_id: 1, paths: 1, at: -1, commit: -1 } },
  ],
  repo_analyses: [],
  webhook_deliveries: [
    { name: "expiry", key: { received_at: 1 }, options: { expireAfterSeconds: 7 * DAY_SECONDS } },
  ],
});
