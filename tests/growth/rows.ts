/**
 * What is fed to each entry of the product, a row for each method and address of the authorisation matrix and for the door of agents.
 * `takes` are the texts that it is sent, in the place where that row of the matrix has them; a number is the most a good one has.
 * `shows` are kept texts that it works with. A row with neither says why.
 */
import { INSTRUCTIONS_MAX_BYTES } from "#domain/accounts/agent-instructions.ts";
import { ANNOUNCEMENT_MAX } from "#domain/accounts/announcement.ts";
import { BOARD_NAME_MAX } from "#domain/boards/board.ts";
import { TOOL_CODE_MAX_BYTES } from "#domain/code-runs/code-tool.ts";
import { EXPLAIN_MAX_BYTES, QUESTION_MAX } from "#domain/code-runs/explanation.ts";
import { BODY_MAX_BYTES, DESCRIPTION_MAX, FILE_NAME_MAX, TAGS_MAX } from "#domain/files/file.ts";
import { ANCHOR_MAX, CONTENT_MAX, TITLE_MAX } from "#domain/notes/note.ts";
import { REPO_PATH_MAX } from "#domain/repos/repo.ts";
import { NEEDLE_MAX } from "#domain/search/folded.ts";
import type { Row } from "#tests/authorisation/rows.ts";
import type { Stored } from "./stored-texts.ts";

export type GrowthRow = {
  call: Row["call"];
  takes?: Record<string, number>;
  shows?: readonly Stored[];
  without?: string;
};

const NOTHING = "It takes no text and shows none.";
const SHORT = "It shows names, numbers and lines of a bounded length, and no more of them than a page holds.";

const TAGS = 50 * TAGS_MAX;
const URL_LENGTH = 2_000;
const WORD = 100;
const note = { title: TITLE_MAX, content: CONTENT_MAX, color: WORD, anchor_id: ANCHOR_MAX };

export const GROWTH_ROWS: readonly GrowthRow[] = [
  { call: "GET /api/me", without: NOTHING },
  { call: "GET /api/openapi.json", without: NOTHING },
  { call: "POST /api/alerts/webhook", takes: { version: WORD } },
  {
    call: "GET /api/files",
    takes: { q: NEEDLE_MAX, lang: WORD, category: WORD, cursor: WORD },
    shows: ["found"],
  },
  { call: "PUT /api/files/:file_name", takes: { body: BODY_MAX_BYTES } },
  { call: "GET /api/files/:file_name", takes: { version: WORD }, shows: ["file"] },
  { call: "DELETE /api/files/:file_name", without: NOTHING },
  { call: "GET /api/file/:file_id", shows: ["file"] },
  {
    call: "PATCH /api/file/:file_id",
    takes: { file_name: FILE_NAME_MAX, description: DESCRIPTION_MAX, tags: TAGS, language: WORD },
    shows: ["file"],
  },
  { call: "GET /api/file/:file_id/content", takes: { version: WORD }, shows: ["file"] },
  { call: "GET /api/file/:file_id/versions", takes: { cursor: WORD, limit: WORD }, shows: ["versions"] },
  { call: "GET /api/stats", without: SHORT },
  { call: "POST /api/file/:file_id/trash", without: NOTHING },
  { call: "POST /api/trash/:file_id/restore", without: NOTHING },
  { call: "POST /api/trash/:file_id/purge", without: NOTHING },
  { call: "POST /api/favorite/toggle/:file_id", without: NOTHING },
  { call: "POST /api/pin/toggle/:file_id", without: NOTHING },
  { call: "POST /api/files/bulk-favorite", takes: { file_ids: WORD } },
  { call: "POST /api/files/bulk-unfavorite", takes: { file_ids: WORD } },
  { call: "POST /api/files/bulk-tag", takes: { tags: TAGS } },
  { call: "POST /api/files/bulk-delete", takes: { file_ids: WORD } },
  { call: "POST /api/files/create-zip", takes: { file_ids: WORD }, shows: ["file"] },
  { call: "POST /api/files/create-share-link", takes: { file_ids: WORD } },
  { call: "POST /api/file/:file_id/restore-version", takes: { version: WORD }, shows: ["versions"] },

  { call: "GET /api/sticky-notes/:file_id", shows: ["notes", "edited"] },
  { call: "POST /api/sticky-notes/:file_id", takes: note, shows: ["file"] },
  { call: "GET /api/sticky-notes/board/:board_id", shows: ["board"] },
  { call: "POST /api/sticky-notes/board/:board_id", takes: note },
  { call: "PUT /api/sticky-notes/note/:note_id", takes: { ...note, prev_updated_at: WORD } },
  { call: "DELETE /api/sticky-notes/note/:note_id", without: NOTHING },
  { call: "POST /api/sticky-notes/note/:note_id/restore", without: NOTHING },
  { call: "POST /api/sticky-notes/note/:note_id/task", takes: { prev_updated_at: WORD }, shows: ["note"] },
  { call: "POST /api/sticky-notes/note/:note_id/pin", without: NOTHING },
  { call: "GET /api/sticky-notes/note/:note_id/history", shows: ["note"] },
  { call: "POST /api/sticky-notes/note/:note_id/restore-content", takes: { updated_at: WORD } },
  { call: "POST /api/sticky-notes/batch", takes: { updates: CONTENT_MAX } },
  {
    call: "GET /api/search",
    takes: { q: NEEDLE_MAX, in: WORD, lang: WORD, tag: WORD, limit: WORD, cursor: WORD },
    shows: ["found", "notes"],
  },
  {
    call: "GET /api/sticky-notes/search",
    takes: { q: NEEDLE_MAX, color: WORD, limit: WORD },
    shows: ["notes"],
  },
  { call: "GET /api/note-boards", without: SHORT },
  { call: "POST /api/note-boards", takes: { name: BOARD_NAME_MAX } },
  { call: "PATCH /api/note-boards/:board_id", takes: { name: BOARD_NAME_MAX } },
  { call: "DELETE /api/note-boards/:board_id", without: NOTHING },

  { call: "GET /api/sticky-notes/reminders/summary", shows: ["reminders"] },
  { call: "GET /api/sticky-notes/reminders/list", shows: ["reminders"] },
  { call: "POST /api/sticky-notes/reminders/ack", takes: { note_id: WORD } },
  { call: "GET /api/sticky-notes/note/:note_id/reminder", shows: ["note"] },
  { call: "POST /api/sticky-notes/note/:note_id/reminder", takes: { at: WORD, tz: WORD, preset: WORD } },
  { call: "DELETE /api/sticky-notes/note/:note_id/reminder", without: NOTHING },
  { call: "POST /api/sticky-notes/note/:note_id/snooze", takes: { minutes: WORD } },

  { call: "POST /api/code/format", takes: { code: TOOL_CODE_MAX_BYTES, language: WORD } },
  { call: "POST /api/code/check", takes: { code: TOOL_CODE_MAX_BYTES, language: WORD } },
  { call: "GET /api/code/run/limits", without: NOTHING },
  { call: "POST /api/code/run", takes: { code: 50 * 1024 } },
  {
    call: "POST /api/ai/explain",
    takes: { code: EXPLAIN_MAX_BYTES, context: EXPLAIN_MAX_BYTES, question: QUESTION_MAX, language: WORD },
  },

  { call: "GET /api/push/public-key", without: NOTHING },
  { call: "POST /api/push/subscribe", takes: { endpoint: URL_LENGTH } },
  { call: "DELETE /api/push/subscribe", takes: { endpoint: URL_LENGTH } },
  { call: "GET /api/push/subscriptions", without: SHORT },
  { call: "POST /api/push/subscriptions/cleanup", without: NOTHING },
  { call: "DELETE /api/push/subscriptions/delete-all", without: NOTHING },
  { call: "POST /api/push/sw-report", takes: { step: WORD, status: WORD } },
  { call: "POST /api/push/test", takes: { via: WORD } },
  { call: "POST /api/welcome/ack", without: NOTHING },
  { call: "GET /api/v1/announcements/active", without: SHORT },
  { call: "POST /api/v1/announcements/:announcement_id/dismiss", without: NOTHING },
  { call: "GET /api/agent/primer", shows: ["instructions"] },

  { call: "GET /api/shares", without: SHORT },
  { call: "POST /api/share/:file_id", takes: { mode: WORD, lines: WORD, password: WORD }, shows: ["file"] },
  { call: "DELETE /api/shares/:share_id", without: NOTHING },
  { call: "POST /api/shared/save", takes: { share_id: WORD, file_name: FILE_NAME_MAX, password: WORD } },

  { call: "GET /api/repos", without: SHORT },
  { call: "POST /api/repos", takes: { url: URL_LENGTH, name: WORD, token: WORD } },
  { call: "GET /api/repos/:repo_name", without: SHORT },
  { call: "DELETE /api/repos/:repo_name", without: NOTHING },
  { call: "POST /api/repos/:repo_name/sync", without: NOTHING },
  { call: "GET /api/repos/:repo_name/tree", takes: { path: REPO_PATH_MAX }, shows: ["repo"] },
  { call: "GET /api/repos/:repo_name/file", takes: { path: REPO_PATH_MAX }, shows: ["repo"] },
  { call: "GET /api/repos/:repo_name/search", takes: { q: NEEDLE_MAX }, shows: ["repo"] },
  { call: "GET /api/repos/:repo_name/history", takes: { path: REPO_PATH_MAX } },
  { call: "GET /api/repos/:repo_name/import", takes: { path: REPO_PATH_MAX }, shows: ["repo"] },
  { call: "POST /api/repos/:repo_name/import", takes: { path: REPO_PATH_MAX } },
  {
    call: "POST /api/repos/:repo_name/upload",
    takes: { path: REPO_PATH_MAX, content: 900_000, message: 1_000, branch: WORD },
  },
  { call: "GET /api/repos/:repo_name/analysis", without: SHORT },
  { call: "POST /api/repos/:repo_name/analysis", without: NOTHING },
  { call: "GET /api/repos/:repo_name/runs/:run_id", without: SHORT },
  { call: "POST /api/webhooks/codehost", takes: { body: BODY_MAX_BYTES } },
  { call: "GET /api/sticky-notes/orphan-repos", without: SHORT },
  { call: "GET /api/sticky-notes/repo-orphans/:repo_name", shows: ["repo"] },
  { call: "GET /api/sticky-notes/repo/:repo_name/*repo_path", shows: ["repo"] },
  { call: "POST /api/sticky-notes/note/:note_id/reattach", takes: { repo_path: REPO_PATH_MAX } },
  { call: "POST /api/sticky-notes/repo/:repo_name/*repo_path", takes: note, shows: ["repo"] },

  { call: "GET /api/jobs", without: SHORT },
  { call: "GET /api/jobs/runs", without: SHORT },
  { call: "GET /api/jobs/runs/:run_id", without: SHORT },
  { call: "POST /api/jobs/:job_id/trigger", without: NOTHING },
  { call: "GET /api/indexes", without: SHORT },
  {
    call: "GET /api/observability/alerts",
    takes: { search: 200, timerange: WORD, start_time: WORD, cursor: WORD },
  },
  { call: "GET /api/observability/aggregations", takes: { timerange: WORD } },
  { call: "GET /api/observability/timeseries", takes: { granularity: WORD, metric: WORD } },
  { call: "GET /api/observability/replay", takes: { event: WORD, cursor: WORD } },
  { call: "GET /api/observability/export", takes: { format: WORD, end_time: WORD } },
  { call: "POST /api/observability/quickfix/track", takes: { action_id: WORD, alert_uid: WORD } },
  { call: "POST /api/observability/alerts/ai_explain", takes: { alert_uid: WORD, alert: 2_000 } },

  { call: "GET /", without: NOTHING },
  { call: "GET /login", takes: { next: URL_LENGTH } },
  { call: "POST /login", takes: { person: WORD, code: WORD } },
  { call: "GET /offline", without: NOTHING },
  { call: "GET /manifest.webmanifest", without: NOTHING },
  { call: "GET /api-docs", without: NOTHING },
  { call: "POST /preferences", takes: { locale: WORD, theme: WORD, timezone: WORD, next: URL_LENGTH } },
  { call: "GET /auth/messenger", takes: { id: WORD, first_name: WORD, hash: WORD, auth_date: WORD } },
  { call: "POST /auth/messenger", takes: { id: WORD, first_name: WORD, hash: WORD, auth_date: WORD } },
  {
    call: "GET /share/:id",
    takes: { key: WORD, view: WORD },
    shows: ["share", "sharedDocument", "sharedPage"],
  },
  { call: "POST /share/:id", takes: { intent: WORD, password: 1_000 } },
  { call: "GET /share/:id/:form", shows: ["share", "sharedDocument"] },
  { call: "GET /shared/:token", shows: ["link"] },
  { call: "GET /shared/:token/zip", shows: ["link"] },
  { call: "GET /shared/:token/:place", shows: ["link"] },
  { call: "POST /shared/:token/:place", takes: { intent: WORD, password: 1_000 } },
  { call: "GET /shared/:token/:place/:form", shows: ["link"] },
  { call: "GET /feeds/:secret/:name", shows: ["feed"] },

  { call: "GET /dashboard", without: SHORT },
  {
    call: "GET /files",
    takes: { q: NEEDLE_MAX, lang: WORD, category: WORD, cursor: WORD },
    shows: ["found"],
  },
  { call: "GET /upload", without: NOTHING },
  { call: "GET /go", takes: { q: NEEDLE_MAX }, shows: ["found", "notes"] },
  {
    call: "GET /search",
    takes: { q: NEEDLE_MAX, in: WORD, lang: WORD, tag: WORD, cursor: WORD },
    shows: ["found", "notes"],
  },
  { call: "GET /help/shortcuts", without: NOTHING },
  {
    call: "POST /upload",
    takes: {
      file_name: FILE_NAME_MAX,
      text: BODY_MAX_BYTES,
      description: DESCRIPTION_MAX,
      tags: TAGS,
      shared_title: WORD,
    },
  },
  { call: "GET /files/actions", without: NOTHING },
  { call: "GET /notes/preview", without: NOTHING },
  {
    call: "POST /files/actions",
    takes: { intent: WORD, every: WORD, tags: TAGS, description: DESCRIPTION_MAX, next: URL_LENGTH },
  },
  { call: "GET /trash", takes: { cursor: WORD } },
  { call: "GET /file/:id", takes: { v: WORD, L: WORD }, shows: ["file", "document", "notes", "edited"] },
  { call: "POST /file/:id", takes: { intent: WORD, question: QUESTION_MAX, timeout: WORD }, shows: ["file"] },
  { call: "GET /file/:id/compare", takes: { from: WORD, to: WORD }, shows: ["versions"] },
  { call: "GET /file/:id/history", takes: { before: WORD }, shows: ["versions"] },
  { call: "POST /file/:id/history", takes: { version: WORD } },
  { call: "GET /file/:id/upload", shows: ["file"] },
  {
    call: "POST /file/:id/upload",
    takes: { repo_name: WORD, path: REPO_PATH_MAX, branch: WORD, message: 1_000 },
  },
  { call: "GET /file/:id/share", takes: { L: WORD }, shows: ["file"] },
  { call: "POST /file/:id/share", takes: { lines: WORD, password: 1_000, max_views: WORD } },
  { call: "GET /edit/:id", shows: ["file"] },
  {
    call: "POST /edit/:id",
    takes: {
      text: BODY_MAX_BYTES,
      file_name: FILE_NAME_MAX,
      description: DESCRIPTION_MAX,
      tags: TAGS,
      version: WORD,
    },
    shows: ["stale"],
  },
  { call: "GET /html/:id", shows: ["page"] },
  { call: "GET /md/:id", shows: ["document"] },
  { call: "GET /svg/:id", shows: ["drawing"] },
  { call: "GET /raw_svg/:id", shows: ["drawing"] },
  { call: "GET /download/:id", shows: ["file"] },
  { call: "GET /shares", takes: { made: WORD } },
  { call: "POST /shares", takes: { revoke: WORD } },

  { call: "GET /notes", takes: { q: NEEDLE_MAX, color: WORD }, shows: ["notes"] },
  { call: "GET /notes/new", takes: { heading: WORD, L: WORD }, shows: ["document"] },
  { call: "POST /notes/new", takes: { ...note, line_start: WORD, x: WORD } },
  { call: "POST /notes/preview", takes: { content: CONTENT_MAX, note_id: WORD } },
  { call: "GET /note/:id", shows: ["note"] },
  {
    call: "POST /note/:id",
    takes: { intent: WORD, next: URL_LENGTH, prev_updated_at: WORD },
    shows: ["note"],
  },
  { call: "GET /note/:id/edit", shows: ["note"] },
  { call: "POST /note/:id/edit", takes: { ...note, shown: 2_000, mine: CONTENT_MAX }, shows: ["note"] },
  { call: "GET /note/:id/history", shows: ["note"] },
  { call: "POST /note/:id/history", takes: { at: WORD }, shows: ["note"] },
  { call: "GET /boards", without: SHORT },
  { call: "POST /boards", takes: { intent: WORD, name: BOARD_NAME_MAX } },
  { call: "GET /boards/:id", shows: ["board"] },
  { call: "GET /reminders", shows: ["reminders"] },
  { call: "POST /reminders", takes: { intent: WORD, at: WORD, tz: WORD, next: URL_LENGTH } },
  { call: "GET /reminders/:note_id", shows: ["note"] },
  { call: "GET /tools/code", shows: ["file"] },
  { call: "POST /tools/code", takes: { text: TOOL_CODE_MAX_BYTES, language: WORD } },

  { call: "GET /repos", without: SHORT },
  { call: "POST /repos", takes: { intent: WORD, url: URL_LENGTH, name: WORD, token: WORD } },
  { call: "GET /repos/:name", takes: { path: REPO_PATH_MAX }, shows: ["repo"] },
  { call: "GET /repos/:name/file", takes: { path: REPO_PATH_MAX }, shows: ["repo"] },
  { call: "GET /repos/:name/search", takes: { q: NEEDLE_MAX }, shows: ["repo"] },
  { call: "GET /repos/:name/history", takes: { path: REPO_PATH_MAX } },
  { call: "GET /repos/:name/orphans", shows: ["repo"] },
  { call: "POST /repos/:name/orphans", takes: { from: REPO_PATH_MAX, path: REPO_PATH_MAX } },
  { call: "GET /repos/:name/import", takes: { path: REPO_PATH_MAX }, shows: ["repo"] },
  { call: "POST /repos/:name/import", takes: { path: REPO_PATH_MAX } },
  { call: "GET /repos/:name/analysis", without: SHORT },
  { call: "POST /repos/:name/analysis", without: NOTHING },

  { call: "GET /settings", shows: ["instructions"] },
  { call: "POST /settings", takes: { instructions: INSTRUCTIONS_MAX_BYTES, seen: WORD } },
  { call: "GET /settings/tokens", without: SHORT },
  { call: "POST /settings/tokens", takes: { intent: WORD, name: WORD } },
  { call: "GET /settings/devices", without: SHORT },
  { call: "POST /settings/devices", takes: { intent: WORD, endpoint_hash: WORD } },
  { call: "GET /settings/feeds", without: SHORT },
  { call: "POST /settings/feeds", takes: { intent: WORD } },
  { call: "GET /settings/sessions", without: SHORT },
  { call: "POST /settings/sessions", takes: { intent: WORD, key: WORD } },
  { call: "GET /settings/export", without: SHORT },
  { call: "POST /settings/export", takes: { intent: WORD, key: WORD } },
  { call: "GET /settings/export/zip", shows: ["file", "notes"] },
  { call: "GET /settings/delete", without: SHORT },
  { call: "POST /settings/delete", takes: { confirmation: WORD } },

  { call: "GET /admin", takes: { sort: WORD } },
  { call: "GET /admin/jobs", without: SHORT },
  { call: "POST /admin/jobs", takes: { intent: WORD, job_id: WORD, run_id: WORD } },
  { call: "GET /admin/users", takes: { id: WORD, after: WORD } },
  { call: "POST /admin/users", takes: { intent: WORD, user_id: WORD } },
  { call: "GET /admin/announcements", without: SHORT },
  { call: "POST /admin/announcements", takes: { text: ANNOUNCEMENT_MAX, link: URL_LENGTH } },
  { call: "GET /admin/observability", takes: { search: 200, timerange: WORD } },
  { call: "POST /admin/observability", takes: { alert_uid: WORD, action_id: WORD } },
  { call: "GET /admin/verify-indexes", without: SHORT },
  { call: "POST /admin/verify-indexes", without: NOTHING },
  { call: "GET /logout", without: NOTHING },
  { call: "POST /logout", takes: { everywhere: WORD } },
  {
    call: "POST /mcp",
    takes: { q: NEEDLE_MAX, content: CONTENT_MAX, title: TITLE_MAX, file: BODY_MAX_BYTES },
  },
];
