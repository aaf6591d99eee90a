import type { CreateIndexesOptions } from "mongodb";
import type { CollectionName } from "#db/collections.ts";
import { LARGE_BYTES } from "#domain/files/file-query.ts";

/**
 * Every index the product's queries stand on. A filter that no row here serves does not belong in a store verb, and a row that no
 * verb needs does not belong here. Where several rows could serve a query, the verb names one of them (`hint`).
 *
 * Files: what a list is narrowed to stands before `deleted_at`, so that all files with it, and those of them in the trash, are
 * each counted from keys alone. The fields after `_id` narrow a list further without reading files.
 */
type Key = Record<string, 1 | -1>;
export type WantedIndex = { name: string; key: Key; options?: CreateIndexesOptions };

const DAY_SECONDS = 86_400;

export const INDEXES: Record<CollectionName, readonly WantedIndex[]> = {
  tokens: [
    { name: "by_digest", key: { digest: 1 }, options: { unique: true } },
    { name: "of_user", key: { user_id: 1, slot: 1 }, options: { unique: true } },
  ],
  identities: [{ name: "of_user", key: { user_id: 1 } }],
  invitations: [],
  join_requests: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  security_logs: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  used_logins: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  agent_instructions: [],
  installation: [],
  feeds: [
    { name: "by_digest", key: { digest: 1 }, options: { unique: true } },
    { name: "of_user", key: { user_id: 1 }, options: { unique: true } },
  ],
  users: [
    { name: "by_creation", key: { created_at: -1, _id: -1 } },
    { name: "by_role", key: { role: 1 } },
    {
      name: "leaving",
      key: { leaving_at: 1 },
      options: { partialFilterExpression: { leaving_at: { $gt: new Date(0) } } },
    },
  ],
  announcements: [{ name: "by_creation", key: { created_at: -1, _id: -1 } }],
  active_announcement: [],
  files: [
    {
      name: "living_name",
      key: { user_id: 1, folder_id: 1, file_name: 1 },
      options: { unique: true, partialFilterExpression: { deleted_at: null } },
    },
    {
      name: "by_name",
      key: { user_id: 1, deleted_at: 1, file_name: 1, _id: 1, language: 1, repo: 1 },
    },
    {
      name: "files_of_folder",
      key: { user_id: 1, folder_id: 1, deleted_at: 1, created_at: -1, _id: -1, language: 1, repo: 1 },
    },
    { name: "by_creation", key: { user_id: 1, deleted_at: 1, created_at: -1, _id: -1 } },
    {
      name: "by_update",
      key: { user_id: 1, deleted_at: 1, updated_at: -1, _id: -1, language: 1, repo: 1 },
    },
    {
      name: "by_size",
      key: { user_id: 1, deleted_at: 1, size_bytes: -1, _id: -1, language: 1, repo: 1 },
    },
    { name: "by_day", key: { user_id: 1, created_at: -1, _id: -1, deleted_at: 1, size_bytes: 1, lines: 1 } },
    { name: "files_of_language", key: { user_id: 1, language: 1, deleted_at: 1, created_at: -1, _id: -1 } },
    {
      name: "files_of_tag",
      key: { user_id: 1, tags: 1, deleted_at: 1, created_at: -1, _id: -1, language: 1, repo: 1 },
    },
    {
      name: "files_of_repo",
      key: { user_id: 1, repo: 1, deleted_at: 1, created_at: -1, _id: -1, language: 1 },
    },
    {
      name: "files_from_repos",
      key: { user_id: 1, deleted_at: 1, created_at: -1, _id: -1, language: 1, repo: 1 },
      options: { partialFilterExpression: { repo: { $gt: "" } } },
    },
    {
      name: "favorite_files",
      key: { user_id: 1, is_favorite: 1, deleted_at: 1, created_at: -1, _id: -1, repo: 1 },
      options: { partialFilterExpression: { is_favorite: true } },
    },
    {
      name: "favorite_files_of_language",
      key: { user_id: 1, is_favorite: 1, language: 1, deleted_at: 1, created_at: -1, _id: -1, repo: 1 },
      options: { partialFilterExpression: { is_favorite: true } },
    },
    {
      name: "pinned_files",
      key: { user_id: 1, is_pinned: 1, deleted_at: 1, created_at: -1, _id: -1, language: 1, repo: 1 },
      options: { partialFilterExpression: { is_pinned: true } },
    },
    {
      name: "large_files",
      key: { user_id: 1, deleted_at: 1, created_at: -1, _id: -1, size_bytes: 1, language: 1, repo: 1 },
      options: { partialFilterExpression: { size_bytes: { $gte: LARGE_BYTES } } },
    },
    {
      name: "opened_files",
      key: { user_id: 1, last_opened_at: -1, _id: -1, deleted_at: 1, language: 1, repo: 1 },
      options: { partialFilterExpression: { last_opened_at: { $gt: new Date(0) } } },
    },
    {
      name: "by_number",
      key: { user_id: 1, n: 1 },
      options: { unique: true, partialFilterExpression: { n: { $gte: 0 } } },
    },
    {
      name: "unindexed",
      key: { user_id: 1, deleted_at: 1, unindexed: 1 },
      options: { partialFilterExpression: { unindexed: { $gt: "" } } },
    },
    {
      name: "trashed_files",
      key: {
        ...{ user_id: 1, deleted_at: -1, _id: -1, created_at: 1, language: 1, repo: 1 },
        ...{ is_favorite: 1, is_pinned: 1, size_bytes: 1, last_opened_at: 1 },
      },
      options: { partialFilterExpression: { deleted_at: { $gt: new Date(0) } } },
    },
    {
      name: "pin_slot",
      key: { user_id: 1, pin_slot: 1 },
      options: { unique: true, partialFilterExpression: { pin_slot: { $gte: 0 } } },
    },
    {
      name: "bin_expiry",
      key: { expires_at: 1 },
      options: { expireAfterSeconds: 0, partialFilterExpression: { expiring: true } },
    },
    {
      name: "bin_dates",
      key: { expiring: 1, expires_at: 1 },
      options: { partialFilterExpression: { expires_at: { $gt: new Date(0) } } },
    },
  ],
  folder_trees: [
    {
      name: "expiring",
      key: { expires_at: 1 },
      options: { partialFilterExpression: { expires_at: { $gt: new Date(0) } } },
    },
  ],
  file_versions: [
    { name: "of_file", key: { file_id: 1, version: -1 }, options: { unique: true } },
    { name: "of_user", key: { user_id: 1, file_id: 1, version: 1, size_bytes: 1 } },
    {
      name: "dated",
      key: { expires_at: 1, _id: 1 },
      options: { partialFilterExpression: { expires_at: { $gt: new Date(0) } } },
    },
    { name: "bin_expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  dav_locks: [{ name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  dav_junk: [
    { name: "of_folder", key: { user_id: 1, folder_id: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  file_bodies: [{ name: "bin_expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  search_segments: [],
  search_chunks: [],
  postings: [],
  search_numbers: [],
  library_tallies: [],
  library_usage: [{ name: "by_count", key: { counted_at: 1 } }],
  notes: [
    { name: "of_user", key: { user_id: 1, _id: 1 } },
    { name: "by_target", key: { target: 1, user_id: 1, deleted_at: 1, created_at: 1, _id: 1 } },
    { name: "by_change", key: { user_id: 1, deleted_at: 1, updated_at: -1, _id: -1 } },
    {
      name: "user_slot",
      key: { user_id: 1, user_slot: 1 },
      options: { unique: true, partialFilterExpression: { user_slot: { $gte: 0 } } },
    },
    {
      name: "target_slot",
      key: { user_id: 1, target: 1, target_slot: 1 },
      options: { unique: true, partialFilterExpression: { target_slot: { $gte: 0 } } },
    },
    {
      name: "title",
      key: { user_id: 1, titled_in: 1, title: 1 },
      options: { unique: true, partialFilterExpression: { titled_in: { $gt: "" } } },
    },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  boards: [
    { name: "by_creation", key: { user_id: 1, created_at: 1, _id: 1 } },
    { name: "slot", key: { user_id: 1, slot: 1 }, options: { unique: true } },
    {
      name: "default_board",
      key: { user_id: 1, is_default: 1 },
      options: { unique: true, partialFilterExpression: { is_default: true } },
    },
  ],
  run_results: [
    { name: "of_file", key: { file_id: 1, created_at: -1, _id: -1 } },
    { name: "of_user", key: { user_id: 1, _id: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  reminders: [
    { name: "by_moment", key: { user_id: 1, status: 1, expires_at: 1, remind_at: 1 } },
    { name: "by_ack", key: { user_id: 1, status: 1, expires_at: 1, ack_at: -1 } },
    { name: "by_file", key: { file_id: 1, expires_at: 1 } },
    {
      name: "push_owed",
      key: { push_at: 1 },
      options: { partialFilterExpression: { push_at: { $gt: new Date(0) } } },
    },
    { name: "bin_expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  shares: [
    { name: "by_creation", key: { user_id: 1, created_at: -1, _id: -1 } },
    { name: "slot", key: { user_id: 1, slot: 1 }, options: { unique: true } },
    {
      name: "once",
      key: { user_id: 1, once: 1 },
      options: { unique: true, partialFilterExpression: { once: { $gt: "" } } },
    },
    { name: "of_file", key: { "files.file_id": 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
    { name: "bin_expiry", key: { bin_expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  push_subscriptions: [
    { name: "one_per_browser", key: { endpoint: 1 }, options: { unique: true } },
    { name: "of_person", key: { user_id: 1, created_at: 1, _id: 1 } },
    {
      name: "failing",
      key: { failing_since: 1 },
      options: { partialFilterExpression: { failing_since: { $gt: new Date(0) } } },
    },
  ],
  push_events: [
    { name: "of_person", key: { user_id: 1 } },
    {
      name: "owed",
      key: { needs_push: 1, created_at: 1, _id: 1 },
      options: { partialFilterExpression: { needs_push: true } },
    },
    { name: "expiry", key: { created_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
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
  library_imports: [
    { name: "by_state", key: { state: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  library_import_chunks: [
    { name: "of_import", key: { user_id: 1, import_id: 1 } },
    { name: "expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } },
  ],
  job_settings: [],
  workers: [{ name: "expiry", key: { heartbeat_at: 1 }, options: { expireAfterSeconds: DAY_SECONDS } }],
  events: [
    { name: "by_event", key: { event: 1, timestamp: 1, _id: 1 } },
    { name: "by_time", key: { timestamp: 1, _id: 1 } },
    { name: "by_severity", key: { severity: 1, timestamp: 1, _id: 1 } },
    {
      name: "of_person",
      key: { "resource.type": 1, "resource.id": 1 },
      options: { partialFilterExpression: { "resource.type": "user" } },
    },
    { name: "expiry", key: { timestamp: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
  event_counts: [
    { name: "by_time", key: { unit: 1, at: 1 } },
    { name: "expiry", key: { at: 1 }, options: { expireAfterSeconds: 31 * DAY_SECONDS } },
  ],
  request_timings: [
    { name: "by_time", key: { unit: 1, at: 1 } },
    { name: "expiry", key: { at: 1 }, options: { expireAfterSeconds: 31 * DAY_SECONDS } },
  ],
  alerts: [
    { name: "by_time", key: { timestamp: -1, _id: -1 } },
    { name: "by_severity", key: { severity: 1, timestamp: -1, _id: -1 } },
    {
      name: "firing",
      key: { status: 1, timestamp: -1, _id: -1 },
      options: { partialFilterExpression: { status: "firing" } },
    },
    { name: "expiry", key: { timestamp: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
  alert_cooldowns: [{ name: "expiry", key: { raised_at: 1 }, options: { expireAfterSeconds: DAY_SECONDS } }],
  alert_explanations: [
    { name: "expiry", key: { generated_at: 1 }, options: { expireAfterSeconds: DAY_SECONDS } },
  ],
  quick_fix_uses: [
    { name: "of_alert", key: { alert_uid: 1, action_id: 1 } },
    { name: "of_person", key: { user_id: 1 } },
    { name: "expiry", key: { used_at: 1 }, options: { expireAfterSeconds: 30 * DAY_SECONDS } },
  ],
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
};
