import type { CollectionName } from "#db/collections.ts";

/**
 * The field by which each collection is divided on a sharded cluster. A server enforces a unique index there only if the index begins with
 * that field, and finds the document of a write only if the filter contains it. A collection without a row does not compile.
 */
type ShardKey = { by: string } | { whole: string };

const OPERATORS = "of operators, and bounded by its expiry";

export const SHARD_KEYS: Record<CollectionName, ShardKey> = {
  users: { by: "_id" },
  identities: { by: "_id" },
  invitations: { whole: "a hundred at most" },
  join_requests: { whole: "a hundred wait at most" },
  security_logs: { by: "_id" },
  used_logins: { by: "_id" },
  agent_instructions: { by: "_id" },
  files: { by: "user_id" },
  folder_trees: { by: "_id" },
  folder_changes: { by: "_id" },
  dav_locks: { by: "_id" },
  dav_departures: { by: "user_id" },
  dav_junk: { by: "user_id" },
  file_versions: { by: "file_id" },
  file_bodies: { by: "_id" },
  search_segments: { by: "_id" },
  search_chunks: { by: "_id" },
  search_numbers: { by: "_id" },
  library_tallies: { by: "_id" },
  library_usage: { by: "_id" },
  library_imports: { by: "_id" },
  library_import_chunks: { by: "user_id" },
  notes: { by: "user_id" },
  boards: { by: "user_id" },
  run_results: { by: "user_id" },
  reminders: { by: "user_id" },
  push_events: { by: "user_id" },
  repos: { by: "user_id" },
  repo_files: { by: "repo_id" },
  repo_folders: { by: "repo_id" },
  repo_texts: { by: "_id" },
  repo_renames: { by: "repo_id" },
  repo_commits: { by: "_id" },
  repo_analyses: { by: "_id" },
  tokens: { whole: "found by its digest before its owner is known, and unique by both" },
  feeds: { whole: "found by its digest before its owner is known, and unique by both" },
  shares: { whole: "found by its address before its owner is known, and unique within the owner" },
  push_subscriptions: {
    whole: "one browser has one record whoever uses it, and devices are listed by owner",
  },
  announcements: { whole: "a few for all" },
  active_announcement: { whole: "one for all" },
  installation: { whole: "one for all" },
  job_settings: { whole: "a few for all" },
  job_runs: { whole: OPERATORS },
  workers: { whole: OPERATORS },
  events: { whole: OPERATORS },
  event_counts: { whole: OPERATORS },
  request_timings: { whole: OPERATORS },
  alerts: { whole: OPERATORS },
  alert_cooldowns: { whole: OPERATORS },
  alert_explanations: { whole: OPERATORS },
  quick_fix_uses: { whole: OPERATORS },
  webhook_deliveries: { whole: OPERATORS },
};
