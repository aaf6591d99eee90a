import { defineIndexes } from "#db/core/indexes/index-table.ts";
import { LARGE_BYTES } from "#domain/files/file-query.ts";

/**
 * Fields that narrow a list come before `deleted_at`, so that all matching files, and those of them in the trash, are each
 * counted from keys alone. The fields after `_id` narrow a list further without reading files.
 */
export const FILE_INDEXES = defineIndexes({
  files: [
    {
      name: "living_name",
      key: { user_id: 1, folder_id: 1, file_name: 1 },
      options: { unique: true, partialFilterExpression: { deleted_at: null } },
    },
    {
      name: "by_name_order",
      key: { user_id: 1, deleted_at: 1, name_order: 1, _id: 1, language: 1, repo: 1 },
    },
    {
      name: "files_of_folder_by_name",
      key: { user_id: 1, folder_id: 1, deleted_at: 1, name_order: 1, _id: 1, language: 1, repo: 1 },
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
      name: "files_with_tag",
      key: { user_id: 1, tag_keys: 1, deleted_at: 1, created_at: -1, _id: -1, language: 1, repo: 1 },
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
  file_bodies: [{ name: "bin_expiry", key: { expires_at: 1 }, options: { expireAfterSeconds: 0 } }],
  library_tallies: [],
  library_usage: [{ name: "by_count", key: { counted_at: 1 } }],
});
