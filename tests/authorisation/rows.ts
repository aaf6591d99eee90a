/**
 * Who may do what, a row for each method and address of the product. `ok` is the status of who may pass: what was sent may be
 * no good, but was looked at. What a row needs is made by the owner and fills the names in its address.
 */
import { TOOL_CODE_MAX_BYTES } from "#domain/code-runs/code-tool.ts";
import { required } from "#domain/required.ts";
import type { Belonging, Names } from "./belongings.ts";
import type { Door } from "./callers.ts";

export type Row = {
  call: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  door: Door;
  needs?: Belonging;
  query?: string;
  json?: (names: Names) => unknown;
  raw?: string;
  headers?: (names: Names) => Record<string, string>;
  form?: (names: Names) => Record<string, string>;
  ok?: number | readonly number[];
  /** What gives it a caller whom it knows otherwise than by an account. */
  credentials?: Record<string, string>;
  /** The most bytes that its body may have, where that is not the usual megabyte. */
  bodyMaxBytes?: number;
  /** What the refusal of a larger one says, where that is the limit of a text in it. */
  statedMaxBytes?: number;
  /** It does without a body. */
  mayBeEmpty?: true;
  /** JSON of any other shape counts as an empty object. */
  anyShape?: true;
  /** What is answered to JSON of another shape, and to no body, where that is not `invalid_payload`. */
  otherShape?: { error: string };
  noBody?: { error: string };
  /** The error that names what is missing, where its address does not say it. */
  absent?: string;
  /** The error that others get, where that is not about the first name in its address. */
  foreign?: string;
  /** The names in its address which it answers for whether anything has them or not. */
  answersAbsent?: readonly string[];
  /** What a page that always leads on answers to who is not the owner, and says after. */
  refused?: 303;
};

const MEGABYTE = 1024 * 1024;
/** A program of the greatest length, each character of which may be escaped. */
const TOOL_MAX_BYTES = 6 * TOOL_CODE_MAX_BYTES + 1024;
const RUN_MAX_BYTES = 1_192_960;
export const ALERTS_TOKEN = "alerts-token-of-tests";

const SOON = "2040-01-01T09:00";
const selected = ({ file_id }: Names) => ({ file_ids: [file_id], tags: ["one"] });
const code = () => ({ code: "print(1)", language: "python" });

/** A row of the JSON API, for each of its endpoints. */
export const API_ROWS: readonly Row[] = [
  { call: "GET /api/me", door: "anyone" },
  { call: "GET /api/openapi.json", door: "anyone" },
  // Open to who sends its own token, of which there is none here.
  {
    call: "POST /api/alerts/webhook",
    door: "anyone",
    json: () => ({ version: "4", alerts: [] }),
    credentials: { Authorization: `Bearer ${ALERTS_TOKEN}` },
    ok: 503,
  },

  { call: "GET /api/files", door: "person" },
  {
    call: "PUT /api/files/*path",
    door: "person",
    raw: "x\n",
    ok: 201,
    bodyMaxBytes: 2 * MEGABYTE,
    answersAbsent: ["path"],
  },
  { call: "GET /api/files/*path", door: "owner", needs: "file" },
  { call: "DELETE /api/files/*path", door: "owner", needs: "file" },
  { call: "GET /api/file", door: "person", query: "?path=a.py" },
  { call: "GET /api/file/:file_id", door: "owner", needs: "file", query: "?content=1" },
  {
    call: "PATCH /api/file/:file_id",
    door: "owner",
    needs: "file",
    json: ({ file_id }) => ({ file_name: `renamed-${file_id}.py` }),
  },
  { call: "GET /api/file/:file_id/content", door: "owner", needs: "file" },
  { call: "GET /api/file/:file_id/versions", door: "owner", needs: "versions" },
  { call: "GET /api/folders", door: "person" },
  {
    call: "POST /api/folders",
    door: "person",
    json: ({ file_name }) => ({ name: `f-${file_name}` }),
    ok: 201,
  },
  {
    call: "PATCH /api/folders/:folder_id",
    door: "owner",
    needs: "folder",
    json: ({ folder_id }) => ({ name: `n-${folder_id}` }),
  },
  { call: "DELETE /api/folders/:folder_id", door: "owner", needs: "folder" },
  { call: "POST /api/folders/:folder_id/restore", door: "owner", needs: "trashedFolder" },
  // Nothing is in it to be shared.
  {
    call: "POST /api/folders/:folder_id/share",
    door: "owner",
    needs: "folder",
    json: () => ({}),
    ok: 409,
    mayBeEmpty: true,
  },
  { call: "GET /api/folders/:folder_id/zip", door: "owner", needs: "folder" },
  { call: "GET /api/tree", door: "person", query: "?deep=1" },
  { call: "GET /api/stats", door: "person" },
  { call: "POST /api/file/:file_id/trash", door: "owner", needs: "file" },
  { call: "POST /api/trash/:file_id/restore", door: "owner", needs: "trashed" },
  { call: "POST /api/trash/:file_id/purge", door: "owner", needs: "trashed" },
  { call: "POST /api/favorite/toggle/:file_id", door: "owner", needs: "file" },
  { call: "POST /api/pin/toggle/:file_id", door: "owner", needs: "file" },
  { call: "POST /api/files/bulk-favorite", door: "owner", needs: "file", json: selected },
  { call: "POST /api/files/bulk-unfavorite", door: "owner", needs: "file", json: selected },
  { call: "POST /api/files/bulk-tag", door: "owner", needs: "file", json: selected },
  {
    call: "POST /api/files/bulk-move",
    door: "owner",
    needs: "file",
    json: ({ file_id }) => ({ file_ids: [file_id], folder_id: null }),
  },
  { call: "POST /api/files/bulk-delete", door: "owner", needs: "file", json: selected },
  { call: "POST /api/files/create-zip", door: "owner", needs: "file", json: selected },
  { call: "POST /api/files/create-share-link", door: "owner", needs: "file", json: selected },
  {
    call: "POST /api/file/:file_id/restore-version",
    door: "owner",
    needs: "versions",
    json: () => ({ version: 1 }),
  },

  { call: "GET /api/sticky-notes/:file_id", door: "owner", needs: "file" },
  {
    call: "POST /api/sticky-notes/:file_id",
    door: "owner",
    needs: "file",
    json: () => ({ content: "new" }),
    ok: 201,
  },
  { call: "GET /api/sticky-notes/board/:board_id", door: "owner", needs: "board" },
  {
    call: "POST /api/sticky-notes/board/:board_id",
    door: "owner",
    needs: "board",
    json: () => ({ content: "new" }),
    ok: 201,
  },
  {
    call: "PUT /api/sticky-notes/note/:note_id",
    door: "owner",
    needs: "note",
    json: () => ({ content: "changed" }),
  },
  { call: "DELETE /api/sticky-notes/note/:note_id", door: "owner", needs: "note" },
  { call: "POST /api/sticky-notes/note/:note_id/restore", door: "owner", needs: "goneNote" },
  {
    call: "POST /api/sticky-notes/note/:note_id/task",
    door: "owner",
    needs: "note",
    json: () => ({ index: 9, checked: true }),
    ok: 409,
  },
  {
    call: "POST /api/sticky-notes/note/:note_id/pin",
    door: "owner",
    needs: "note",
    json: () => ({}),
    mayBeEmpty: true,
    anyShape: true,
  },
  {
    call: "POST /api/sticky-notes/note/:note_id/move",
    door: "owner",
    needs: "boardNote",
    json: ({ board_id }) => ({ board_id }),
    foreign: "Board not found",
  },
  { call: "GET /api/sticky-notes/note/:note_id/history", door: "owner", needs: "note" },
  {
    call: "POST /api/sticky-notes/note/:note_id/restore-content",
    door: "owner",
    needs: "editedNote",
    json: ({ updated_at }) => ({ updated_at }),
  },
  {
    call: "POST /api/sticky-notes/batch",
    door: "person",
    json: () => ({ updates: [{}] }),
    bodyMaxBytes: 16 * MEGABYTE,
  },
  { call: "GET /api/search", door: "person", query: "?q=one" },
  { call: "GET /api/sticky-notes/search", door: "person", query: "?q=one" },
  { call: "GET /api/note-boards", door: "person" },
  {
    call: "POST /api/note-boards",
    door: "person",
    json: ({ file_name }) => ({ name: `b-${file_name}` }),
    ok: 201,
  },
  {
    call: "PATCH /api/note-boards/:board_id",
    door: "owner",
    needs: "board",
    json: ({ board_id }) => ({ name: `n-${board_id}` }),
  },
  { call: "DELETE /api/note-boards/:board_id", door: "owner", needs: "board" },

  { call: "GET /api/sticky-notes/reminders/summary", door: "person" },
  { call: "GET /api/sticky-notes/reminders/list", door: "person" },
  {
    call: "POST /api/sticky-notes/reminders/ack",
    door: "owner",
    needs: "reminded",
    json: ({ note_id }) => ({ note_id }),
  },
  { call: "GET /api/sticky-notes/note/:note_id/reminder", door: "owner", needs: "reminded" },
  {
    call: "POST /api/sticky-notes/note/:note_id/reminder",
    door: "owner",
    needs: "note",
    json: () => ({ at: SOON, tz: "UTC" }),
  },
  { call: "DELETE /api/sticky-notes/note/:note_id/reminder", door: "owner", needs: "reminded" },
  {
    call: "POST /api/sticky-notes/note/:note_id/snooze",
    door: "owner",
    needs: "reminded",
    json: () => ({ minutes: 10 }),
    mayBeEmpty: true,
    absent: "Reminder not found",
  },

  {
    call: "POST /api/code/format",
    door: "person",
    json: code,
    bodyMaxBytes: TOOL_MAX_BYTES,
    statedMaxBytes: TOOL_CODE_MAX_BYTES,
  },
  {
    call: "POST /api/code/check",
    door: "person",
    json: code,
    bodyMaxBytes: TOOL_MAX_BYTES,
    statedMaxBytes: TOOL_CODE_MAX_BYTES,
  },
  { call: "GET /api/code/run/limits", door: "premium" },
  {
    call: "POST /api/code/run",
    door: "premium",
    json: () => ({ code: "" }),
    ok: 400,
    otherShape: { error: "Missing code" },
    bodyMaxBytes: RUN_MAX_BYTES,
  },
  { call: "POST /api/code/run/:run_id/stop", door: "person", ok: 404, absent: "run_not_found" },
  { call: "POST /api/ai/explain", door: "person", json: code },

  { call: "GET /api/push/public-key", door: "person", ok: 503 },
  { call: "POST /api/push/subscribe", door: "person", json: () => ({}), ok: 400 },
  { call: "DELETE /api/push/subscribe", door: "person", json: () => ({}), ok: 400 },
  { call: "GET /api/push/subscriptions", door: "person" },
  { call: "POST /api/push/subscriptions/cleanup", door: "person", json: () => ({}), mayBeEmpty: true },
  { call: "DELETE /api/push/subscriptions/delete-all", door: "person" },
  { call: "POST /api/push/sw-report", door: "person", json: () => ({}), ok: 400 },
  { call: "POST /api/push/test", door: "person", json: () => ({}), ok: 503, mayBeEmpty: true },

  { call: "POST /api/welcome/ack", door: "person" },
  { call: "GET /api/v1/announcements/active", door: "person" },
  {
    call: "POST /api/v1/announcements/:announcement_id/dismiss",
    door: "person",
    needs: "announcement",
    answersAbsent: ["announcement_id"],
  },
  // Nothing to tell of an empty library.
  { call: "GET /api/agent/primer", door: "person", ok: [200, 204] },

  { call: "GET /api/shares", door: "person" },
  { call: "POST /api/share/:file_id", door: "owner", needs: "file", json: () => ({}), mayBeEmpty: true },
  { call: "DELETE /api/shares/:share_id", door: "owner", needs: "share" },
  {
    call: "POST /api/shared/save",
    door: "person",
    needs: "share",
    json: ({ share_id }) => ({ share_id }),
    noBody: { error: "Missing share_id" },
  },

  { call: "GET /api/repos", door: "person" },
  {
    call: "POST /api/repos",
    door: "person",
    json: ({ file_name }) => ({ url: "https://example.org/of/anyone.git", name: `of/${file_name}` }),
    ok: 201,
  },
  { call: "GET /api/repos/:repo_name", door: "owner", needs: "repo" },
  {
    call: "PATCH /api/repos/:repo_name",
    door: "owner",
    needs: "repo",
    json: () => ({ url: "https://example.org/of/another.git" }),
  },
  { call: "DELETE /api/repos/:repo_name", door: "owner", needs: "repo" },
  { call: "POST /api/repos/:repo_name/sync", door: "owner", needs: "repo", ok: 202 },
  { call: "GET /api/repos/:repo_name/tree", door: "owner", needs: "repo", ok: 503 },
  { call: "GET /api/repos/:repo_name/file", door: "owner", needs: "repo", query: "?path=a", ok: 503 },
  { call: "GET /api/repos/:repo_name/search", door: "owner", needs: "repo", query: "?q=one", ok: 503 },
  { call: "GET /api/repos/:repo_name/history", door: "owner", needs: "repo", ok: 503 },
  { call: "GET /api/repos/:repo_name/import", door: "owner", needs: "repo", ok: 503 },
  {
    call: "POST /api/repos/:repo_name/import",
    door: "owner",
    needs: "repo",
    json: () => ({}),
    ok: 503,
    mayBeEmpty: true,
  },
  {
    call: "POST /api/repos/:repo_name/upload",
    door: "owner",
    needs: "repo",
    json: () => ({ path: "a.txt", content: "x" }),
    ok: 503,
  },
  { call: "GET /api/repos/:repo_name/analysis", door: "owner", needs: "analysed" },
  { call: "POST /api/repos/:repo_name/analysis", door: "owner", needs: "repo", ok: 503 },
  { call: "GET /api/repos/:repo_name/runs/:run_id", door: "owner", needs: "repo" },
  // Open to who signs with its own secret, of which there is none here.
  { call: "POST /api/webhooks/codehost", door: "anyone", raw: "{}", ok: 503, bodyMaxBytes: 5 * MEGABYTE },
  { call: "GET /api/sticky-notes/orphan-repos", door: "person" },
  // One's own notes, of which a mirror that was never read says nothing, and somebody without a mirror has none.
  {
    call: "GET /api/sticky-notes/repo-orphans/:repo_name",
    door: "person",
    needs: "repo",
    ok: [200, 503],
    answersAbsent: ["repo_name"],
  },
  {
    call: "GET /api/sticky-notes/repo/:repo_name/*repo_path",
    door: "person",
    needs: "repo",
    ok: [200, 503],
    answersAbsent: ["repo_name"],
  },
  {
    call: "POST /api/sticky-notes/note/:note_id/reattach",
    door: "owner",
    needs: "note",
    json: () => ({ repo_path: "a" }),
    ok: 400,
  },
  {
    call: "POST /api/sticky-notes/repo/:repo_name/*repo_path",
    door: "owner",
    needs: "repo",
    json: () => ({ content: "one" }),
    ok: 503,
  },

  {
    call: "POST /api/gists",
    door: "person",
    json: () => ({ gist: {} }),
    bodyMaxBytes: 8 * MEGABYTE,
    ok: 400,
  },
  { call: "GET /api/jobs", door: "admin" },
  { call: "GET /api/jobs/runs", door: "admin" },
  { call: "GET /api/jobs/runs/:run_id", door: "admin", needs: "run" },
  { call: "POST /api/jobs/runs/:run_id/retry", door: "admin", needs: "run", ok: 409 },
  { call: "POST /api/jobs/runs/:run_id/dismiss", door: "admin", needs: "run", ok: 409 },
  { call: "POST /api/jobs/runs/:run_id/restore", door: "admin", needs: "run", ok: 409 },
  { call: "POST /api/jobs/:job_id/trigger", door: "admin", needs: "run", ok: 202 },
  { call: "GET /api/indexes", door: "admin" },
  { call: "GET /api/observability/alerts", door: "admin" },
  { call: "GET /api/observability/aggregations", door: "admin" },
  { call: "GET /api/observability/timeseries", door: "admin", query: "?metric=alerts_count" },
  { call: "GET /api/observability/replay", door: "admin" },
  { call: "GET /api/observability/export", door: "admin" },
  { call: "POST /api/observability/quickfix/track", door: "admin", json: () => ({}), ok: 400 },
  { call: "POST /api/observability/alerts/:alert_uid/ack", door: "admin", needs: "alert" },
  {
    call: "POST /api/observability/alerts/:alert_uid/mute",
    door: "admin",
    needs: "alert",
    json: () => ({}),
    mayBeEmpty: true,
  },
  { call: "POST /api/observability/alerts/ai_explain", door: "admin", json: () => ({}), ok: 400 },
];

/** A row of pages, for each loader and action of a route. */
export const PAGE_ROWS: readonly Row[] = [
  { call: "GET /", door: "anyone" },
  { call: "GET /login", door: "anyone", ok: [200, 302] },
  // The local sign-in, which is not there in production.
  { call: "POST /login", door: "anyone", form: () => ({ person: "localAdmin" }), ok: 404 },
  { call: "GET /offline", door: "anyone" },
  { call: "GET /frame", door: "anyone" },
  { call: "GET /manifest.webmanifest", door: "anyone" },
  { call: "GET /api-docs", door: "person" },
  { call: "POST /preferences", door: "anyone", form: () => ({ theme: "dark" }), ok: 303 },
  // No provider is set up: it leads on to the login, or to where somebody is already.
  { call: "GET /auth/oidc", door: "anyone", ok: 302 },
  { call: "GET /auth/oidc/callback", door: "anyone", ok: 302 },
  { call: "GET /auth/oidc/logout", door: "anyone", ok: 302 },
  // No such invitation: it leads to the login, which says so.
  { call: "GET /invitations/:token", door: "anyone", ok: 302 },
  // This installation is known by an address without a name, so no passkeys are offered.
  { call: "GET /auth/passkey", door: "anyone", ok: 404 },
  { call: "POST /auth/passkey", door: "anyone", form: () => ({ credential: "{}" }), ok: 404 },
  { call: "GET /auth/messenger", door: "anyone", ok: 401 },
  { call: "POST /auth/messenger", door: "anyone", form: () => ({}), ok: 401 },
  { call: "GET /share/:id", door: "anyone", needs: "share" },
  { call: "POST /share/:id", door: "anyone", needs: "share", form: () => ({ intent: "open" }), ok: 303 },
  { call: "GET /share/:id/:form", door: "anyone", needs: "share" },
  { call: "GET /share/:id/embed", door: "anyone", needs: "share" },
  { call: "GET /oembed", door: "anyone", ok: 400 },
  { call: "GET /shared/:token", door: "anyone", needs: "link" },
  { call: "POST /shared/:token", door: "anyone", needs: "link", form: () => ({ intent: "open" }), ok: 303 },
  { call: "GET /shared/:token/zip", door: "anyone", needs: "link" },
  { call: "GET /shared/:token/:place", door: "anyone", needs: "link" },
  {
    call: "POST /shared/:token/:place",
    door: "anyone",
    needs: "link",
    form: () => ({ intent: "open" }),
    ok: 303,
  },
  { call: "GET /shared/:token/:place/:form", door: "anyone", needs: "link" },
  { call: "GET /shared/:token/:place/embed", door: "anyone", needs: "link" },
  { call: "GET /feeds/:secret/:name", door: "anyone", needs: "feed" },

  { call: "GET /dashboard", door: "person" },
  { call: "GET /files", door: "person" },
  { call: "GET /upload", door: "person" },
  { call: "GET /upload/gist", door: "person" },
  { call: "POST /upload/gist", door: "person", form: () => ({ gist: "{}" }), ok: 400 },
  { call: "GET /go", door: "person" },
  { call: "GET /search", door: "person", query: "?q=one" },
  { call: "GET /help/shortcuts", door: "person" },
  {
    call: "POST /upload",
    door: "person",
    form: ({ file_name }) => ({ file_name: required(file_name), text: "x" }),
    ok: 303,
  },
  { call: "GET /files/actions", door: "person", ok: 302 },
  {
    call: "POST /files/actions",
    door: "owner",
    needs: "file",
    form: ({ id }) => ({ intent: `trash:${id}` }),
    ok: 303,
    refused: 303,
  },
  { call: "GET /trash", door: "person" },
  { call: "GET /file/:id", door: "owner", needs: "file" },
  { call: "POST /file/:id", door: "owner", needs: "file", form: () => ({ intent: "forget" }), ok: 303 },
  { call: "GET /file/:id/compare", door: "owner", needs: "versions" },
  { call: "GET /file/:id/history", door: "owner", needs: "versions" },
  {
    call: "POST /file/:id/history",
    door: "owner",
    needs: "versions",
    form: () => ({ version: "1" }),
    ok: 303,
  },
  { call: "GET /file/:id/reminder", door: "owner", needs: "file" },
  { call: "GET /file/:id/upload", door: "owner", needs: "file" },
  { call: "POST /file/:id/upload", door: "owner", needs: "file", form: () => ({}), ok: 400 },
  { call: "GET /file/:id/share", door: "owner", needs: "file" },
  {
    call: "POST /file/:id/share",
    door: "owner",
    needs: "file",
    form: () => ({ content: "full", lifetime: "7" }),
    ok: 303,
  },
  { call: "GET /edit/:id", door: "owner", needs: "file" },
  {
    call: "POST /edit/:id",
    door: "owner",
    needs: "file",
    form: () => ({ text: "new\n", version: "1" }),
    ok: 303,
  },
  { call: "GET /html/:id", door: "owner", needs: "page" },
  { call: "GET /html/:id/run", door: "owner", needs: "page" },
  { call: "GET /md/:id", door: "owner", needs: "document" },
  {
    call: "POST /md/:id",
    door: "owner",
    needs: "document",
    form: () => ({ version: "1", task: "0:on" }),
    ok: 303,
  },
  { call: "GET /svg/:id", door: "owner", needs: "drawing" },
  { call: "GET /raw_svg/:id", door: "owner", needs: "drawing" },
  { call: "GET /download/:id", door: "owner", needs: "file" },
  { call: "GET /shares", door: "person" },
  {
    call: "POST /shares",
    door: "owner",
    needs: "share",
    form: ({ id }) => ({ revoke: required(id) }),
    ok: 303,
  },

  { call: "GET /notes", door: "person" },
  { call: "GET /notes/new", door: "owner", needs: "file", query: "?file=:id" },
  {
    call: "POST /notes/new",
    door: "owner",
    needs: "file",
    query: "?file=:id",
    form: () => ({ content: "one" }),
    ok: 303,
  },
  { call: "GET /notes/preview", door: "person", ok: 302 },
  { call: "POST /notes/preview", door: "person", form: () => ({ content: "one", mode: "file" }) },
  { call: "GET /note/:id", door: "owner", needs: "note", ok: 302 },
  {
    call: "POST /note/:id",
    door: "owner",
    needs: "note",
    form: () => ({ intent: "remove" }),
    ok: 303,
    refused: 303,
  },
  { call: "GET /note/:id/edit", door: "owner", needs: "note" },
  { call: "POST /note/:id/edit", door: "owner", needs: "note", form: () => ({ content: "new" }), ok: 303 },
  { call: "GET /note/:id/history", door: "owner", needs: "editedNote" },
  {
    call: "POST /note/:id/history",
    door: "owner",
    needs: "editedNote",
    form: ({ updated_at }) => ({ at: String(Date.parse(required(updated_at))) }),
    ok: 303,
  },
  { call: "GET /boards", door: "person" },
  {
    call: "POST /boards",
    door: "person",
    form: ({ file_name }) => ({ intent: "create", name: required(file_name) }),
    ok: 303,
  },
  { call: "GET /boards/:id", door: "owner", needs: "board" },
  { call: "GET /reminders", door: "person" },
  {
    call: "POST /reminders",
    door: "owner",
    needs: "reminded",
    form: ({ note_id }) => ({ intent: "done", note_id: required(note_id) }),
    ok: 303,
    refused: 303,
  },
  { call: "GET /reminders/:note_id", door: "owner", needs: "reminded" },
  { call: "GET /tools/code", door: "person" },
  {
    call: "POST /tools/code",
    door: "person",
    form: () => ({ intent: "check", language: "python", text: "x" }),
  },

  { call: "GET /repos", door: "person" },
  { call: "POST /repos", door: "person", form: () => ({}), ok: 400 },
  { call: "GET /repos/:name", door: "owner", needs: "repo" },
  { call: "POST /repos/:name", door: "owner", needs: "repo", form: () => ({}), ok: 400 },
  { call: "GET /repos/:name/file", door: "owner", needs: "repo", query: "?path=a", ok: 302 },
  { call: "GET /repos/:name/search", door: "owner", needs: "repo" },
  { call: "GET /repos/:name/history", door: "owner", needs: "repo" },
  { call: "GET /repos/:name/orphans", door: "owner", needs: "repo", ok: 503 },
  {
    call: "POST /repos/:name/orphans",
    door: "owner",
    needs: "repo",
    form: () => ({ from: "a", path: "b" }),
    ok: 503,
    refused: 303,
  },
  { call: "GET /repos/:name/import", door: "owner", needs: "repo" },
  { call: "POST /repos/:name/import", door: "owner", needs: "repo", form: () => ({}), ok: 400 },
  { call: "GET /repos/:name/analysis", door: "owner", needs: "repo" },
  { call: "POST /repos/:name/analysis", door: "owner", needs: "repo", form: () => ({}), ok: 503 },

  { call: "GET /settings", door: "person" },
  { call: "POST /settings", door: "person", form: () => ({}), ok: 400 },
  { call: "GET /settings/tokens", door: "person" },
  { call: "POST /settings/tokens", door: "person", form: () => ({}), ok: 400 },
  { call: "GET /settings/devices", door: "person" },
  { call: "POST /settings/devices", door: "person", form: () => ({ intent: "cleanup" }), ok: 303 },
  { call: "GET /settings/feeds", door: "person" },
  { call: "POST /settings/feeds", door: "person", form: () => ({ intent: "make" }) },
  { call: "GET /settings/sessions", door: "person" },
  { call: "POST /settings/sessions", door: "person", form: () => ({ intent: "end_others" }), ok: 303 },
  { call: "GET /settings/sign-in", door: "person" },
  { call: "POST /settings/sign-in", door: "person", form: () => ({}), ok: 400 },
  { call: "GET /settings/export", door: "person" },
  {
    call: "POST /settings/export",
    door: "person",
    form: () => ({ intent: "drop", import_id: "none" }),
    ok: 303,
  },
  { call: "GET /settings/export/zip", door: "person" },
  { call: "GET /settings/delete", door: "person" },
  { call: "POST /settings/delete", door: "person", form: () => ({}), ok: 400 },

  { call: "GET /admin", door: "admin" },
  { call: "GET /admin/jobs", door: "admin" },
  {
    call: "POST /admin/jobs",
    door: "admin",
    form: () => ({ intent: "enable", job_id: "trash_check" }),
    ok: 303,
  },
  { call: "GET /admin/jobs/runs/:run_id", door: "admin", needs: "run" },
  {
    call: "POST /admin/jobs/runs/:run_id",
    door: "admin",
    needs: "run",
    form: () => ({ intent: "retry" }),
    ok: 409,
  },
  { call: "GET /admin/users", door: "admin" },
  { call: "POST /admin/users", door: "admin", form: () => ({}), ok: 400 },
  { call: "GET /admin/announcements", door: "admin" },
  { call: "POST /admin/announcements", door: "admin", form: () => ({}), ok: 400 },
  { call: "GET /admin/observability", door: "admin" },
  { call: "POST /admin/observability", door: "admin", form: () => ({}), ok: 400 },
  { call: "GET /admin/verify-indexes", door: "admin" },
  { call: "POST /admin/verify-indexes", door: "admin", form: () => ({}), ok: 303 },

  // Last, because nobody is logged in afterwards.
  { call: "GET /logout", door: "person", ok: 302 },
  { call: "POST /logout", door: "anyone", ok: 302 },
];
