import { SIGN_IN_REASONS } from "#domain/accounts/sign-in-reasons.ts";
import { FOLDER_REASONS } from "#domain/files/folders/folder-reasons.ts";
import { coded, type Reason, worded } from "#domain/reason.ts";
import { REPO_REASONS } from "#domain/repos/repo-reasons.ts";

/**
 * Every reason for a refusal, with its HTTP status and its words on the wire. A refusal is an ordinary value that travels
 * unchanged from the rule to the answer; a fault is thrown instead. A refusal is recognised by its shape: the web process loads
 * this module twice, so a class would exist twice.
 */
export const REASONS = {
  ...SIGN_IN_REASONS,
  session_required: coded(403, "session_required", "This takes no token. Log in with a browser instead."),
  admin_only: coded(403, "admin_only", "Administrators only."),
  premium_required: worded(403, "Premium or admin role required"),
  cross_site_request: coded(403, "cross_site_request", "Blocked: the request came from another site."),
  not_found: coded(404, "not_found", "Nothing exists at this address."),
  file_not_found: worded(404, "File not found"),
  file_in_trash: worded(404, "File not found"),
  version_not_found: worded(404, "File not found", "The file has no such version."),
  merge_marks: coded(400, "merge_marks", "The text still has conflict marks."),
  stale_edit: coded(409, "stale_edit", "A newer version was saved. Nothing was overwritten."),
  file_name_taken: coded(409, "file_name_taken", "Another file has this name."),
  name_taken: coded(409, "name_taken", "Another file has this name."),
  version_changed: coded(
    412,
    "version_changed",
    "The file is not as the request expects. Nothing was overwritten; `version` is the newest.",
  ),
  range_not_satisfiable: coded(416, "range_not_satisfiable", "The file does not have these bytes."),
  job_not_found: coded(404, "job_not_found", "This job does not exist."),
  run_not_found: coded(404, "run_not_found", "This run does not exist."),
  run_not_retriable: coded(409, "run_not_retriable", "Only a failed run can be retried."),
  run_not_failed: coded(409, "run_not_failed", "Only a failed run can be dismissed."),
  no_runs_selected: coded(400, "no_runs_selected", "Select one or more runs."),
  run_already_retried: coded(409, "run_already_retried", "This run was already retried."),
  reminder_not_found: worded(404, "Reminder not found"),
  invalid_time: coded(400, "invalid_time", "Send a time such as 2026-11-14T09:00."),
  invalid_preset: coded(400, "invalid_preset", "Unknown preset."),
  invalid_timezone: coded(400, "invalid_timezone", "Unknown time zone. Send one such as Asia/Jerusalem."),
  time_not_in_future: worded(400, "Time must be in the future"),
  invalid_minutes: worded(400, "Invalid minutes"),
  invalid_remind_at: coded(400, "invalid_remind_at", "Send a time such as 2026-11-14T09:00:00.000+00:00."),
  invalid_token_name: coded(400, "invalid_token_name", "Give the token a name of up to 60 characters."),
  token_limit: coded(409, "token_limit", "You have 20 tokens, the maximum. Revoke one first."),
  token_not_found: coded(404, "token_not_found", "This token does not exist."),
  instructions_too_long: coded(
    413,
    "instructions_too_long",
    "The instructions are too long. The limit is 24 KiB.",
  ),
  stale_instructions: coded(
    409,
    "stale_instructions",
    "The instructions were changed elsewhere. Nothing was overwritten.",
  ),
  import_under_way: coded(409, "import_under_way", "Another import is running. Wait for it or cancel it."),
  import_store_full: coded(503, "import_store_full", "Too many imports are waiting. Try again later."),
  import_too_large: coded(413, "import_too_large", "The zip is too large."),
  import_not_found: coded(404, "import_not_found", "The zip is no longer stored. Send it again."),
  no_zip: coded(400, "no_zip", "Choose a zip file."),
  not_confirmed: coded(400, "not_confirmed", "Type the words exactly to confirm."),
  account_leaving: coded(503, "account_leaving", "This account is being deleted. Try again in a moment."),
  credential_not_found: coded(404, "credential_not_found", "Already removed."),
  account_locked: coded(403, "account_locked", "An administrator locked this account."),
  appointed_admin: coded(
    409,
    "appointed_admin",
    "An administrator named in ADMIN_USER_IDS cannot be locked.",
  ),
  read_only_token: coded(403, "read_only_token", "This token is read-only."),
  method_not_allowed: coded(405, "method_not_allowed", "This address does not support that method."),
  invalid_payload: coded(400, "invalid_payload", "The body is not valid."),
  invalid_query: coded(400, "invalid_query", "A query parameter is not valid."),
  invalid_cursor: coded(400, "invalid_cursor", "The cursor is not valid. Start from the first page."),
  invalid_file_name: worded(
    400,
    "Invalid file name",
    "Send a name of 1 to 255 characters, without slashes and control characters.",
  ),
  missing_file_name: worded(400, "Invalid file name", "Give the file a name."),
  path_with_empty_part: worded(
    400,
    "Invalid file name",
    "A path has no slash at its start and no two slashes in a row.",
  ),
  path_with_dots: worded(400, "Invalid file name", "A path has no . or .. in it."),
  path_with_backslash: worded(400, "Invalid file name", "A path has slashes, and no backslashes."),
  reserved_file_name: worded(
    400,
    "Invalid file name",
    "A file cannot be called . or .., which mean folders.",
  ),
  no_files: worded(400, "No files selected"),
  too_many_files: worded(400, "Too many files (max 100)"),
  invalid_file_id: worded(400, "Invalid file id"),
  files_not_found: worded(404, "Some files not found"),
  no_tags: worded(400, "No tags provided"),
  missing_share_id: worded(400, "Missing share_id"),
  share_not_found: worded(404, "Share not found"),
  share_without_content: worded(409, "Share has no full content"),
  share_limit: coded(409, "share_limit", "You have 200 links, the maximum. Revoke one first."),
  share_locked: coded(403, "share_locked", "Open the link on its page first."),
  invalid_gist: coded(
    400,
    "invalid_gist",
    "This is not the JSON of a gist, or it has more than 100 gists or 300 files in one.",
  ),
  invalid_gist_url: coded(400, "invalid_gist_url", "This is not the address of a gist on the code host."),
  gist_not_found: coded(404, "gist_not_found", "The code host shows no gist at this address."),
  share_not_embeddable: coded(
    401,
    "share_not_embeddable",
    "Links with a password or a view limit cannot be embedded.",
  ),
  folder_not_embeddable: coded(
    404,
    "folder_not_embeddable",
    "A link to a folder or to several files cannot be embedded. Send the address of one of its files.",
  ),
  oembed_format: coded(501, "oembed_format", "Only format=json is supported."),
  wrong_share_password: coded(403, "wrong_share_password", "Wrong password."),
  invalid_share_lines: coded(
    400,
    "invalid_share_lines",
    "The file does not have these lines. Send a range such as 4-8.",
  ),
  invalid_share_end: coded(400, "invalid_share_end", "Send a moment within the next 365 days."),
  invalid_share_views: coded(400, "invalid_share_views", "Send a whole number from 1 to 1,000,000."),
  invalid_share_password: coded(400, "invalid_share_password", "Send a password of 6 to 200 characters."),
  announcement_not_found: coded(404, "announcement_not_found", "This announcement does not exist."),
  invalid_announcement_text: coded(
    400,
    "invalid_announcement_text",
    "Send one line of up to 280 characters.",
  ),
  invalid_announcement_link: coded(
    400,
    "invalid_announcement_link",
    "Send a path on this site that begins with a slash.",
  ),
  user_not_found: coded(404, "user_not_found", "No user with this id has logged in."),
  own_account: coded(409, "own_account", "You cannot change your own account. Ask another administrator."),
  missing_code: worded(400, "Missing code", "Send the text of the program as `code`."),
  no_tool: coded(400, "no_tool", "This language is not supported; `supported` lists those that are."),
  not_runnable: coded(400, "not_runnable", "Only Python, JavaScript and TypeScript can be run."),
  syntax_error: coded(400, "syntax_error", "Syntax error."),
  tool_too_slow: coded(504, "tool_too_slow", "Stopped after 2 seconds. Send less code."),
  tool_failed: coded(422, "tool_failed", "The tool failed on this code."),
  missing_context: coded(400, "missing_context", "Send the code or the context to explain."),
  explain_failed: coded(502, "explain_failed", "The model could not be reached."),
  explain_timeout: coded(504, "explain_timeout", "The model took too long."),
  tools_busy: coded(503, "tools_busy", "Code tools are busy. Try again in a moment."),
  pin_limit: coded(409, "pin_limit", "You have 8 pinned files, the maximum. Unpin one first."),
  description_too_long: coded(400, "description_too_long", "The description is too long."),
  invalid_description: coded(400, "invalid_description", "The description is not valid Unicode."),
  invalid_tags: coded(400, "invalid_tags", "Send up to 20 tags of up to 50 characters."),
  unknown_language: coded(400, "unknown_language", "Unknown language."),
  binary_content: coded(
    415,
    "binary_content",
    "Only UTF-8 text can be saved. This looks like a binary file.",
  ),
  zip_among_files: coded(
    415,
    "zip_among_files",
    "A zip cannot be saved with other files. Import it by itself.",
  ),
  note_not_found: worded(404, "Note not found"),
  board_not_found: worded(404, "Board not found"),
  ...FOLDER_REASONS,
  conflict: coded(409, "conflict", "The note was changed elsewhere. Nothing was overwritten."),
  duplicate_title: coded(409, "duplicate_title", "Another note here has this title."),
  note_quota_exceeded: coded(409, "note_quota_exceeded", "No room for more notes. Delete one first."),
  board_quota_exceeded: coded(409, "board_quota_exceeded", "No room for more boards. Delete one first."),
  cannot_delete_default: coded(409, "cannot_delete_default", "The default board cannot be deleted."),
  task_index_not_found: coded(409, "task_index_not_found", "The note no longer has this task."),
  out_of_range: coded(400, "out_of_range", "A number is out of range."),
  content_too_long: coded(400, "content_too_long", "The note is too long. The limit is 20,000 characters."),
  title_too_long: coded(400, "title_too_long", "The title is too long. The limit is 80 characters."),
  invalid_title: coded(400, "invalid_title", "Send a title of one line."),
  invalid_color: coded(400, "invalid_color", "Unknown colour."),
  invalid_mode: coded(400, "invalid_mode", "Unknown display mode."),
  invalid_prev_updated_at: coded(400, "invalid_prev_updated_at", "Send an ISO 8601 time with an offset."),
  invalid_board_name: coded(
    400,
    "invalid_board_name",
    "Give the board a name of one line, up to 80 characters.",
  ),
  empty_query: coded(400, "empty_query", "Send something to search for."),
  empty_filter: coded(400, "empty_filter", "Send a value after the colon, such as lang:python."),
  only_excluded: coded(
    400,
    "only_excluded",
    "A word with - only leaves results out. Send a word to search for, too.",
  ),
  note_content_not_found: coded(404, "note_content_not_found", "The note has no such earlier version."),
  anchor_lost: coded(409, "anchor_lost", "The note's lines were deleted. Choose new lines."),
  target_fixed: coded(400, "target_fixed", "A note cannot be moved to another file or board."),
  invalid_limit: coded(400, "invalid_limit", "Send a whole number of 1 or more as the limit."),
  query_too_long: coded(400, "query_too_long", "The search is too long. The limit is 200 characters."),
  too_many_words: coded(400, "too_many_words", "Search for up to 8 words at once, or put them in quotes."),
  unsupported_view: coded(415, "unsupported_view", "This file type has no such view."),
  push_not_configured: coded(503, "push_not_configured", "Notifications are not set up on this server."),
  push_worker_unavailable: coded(503, "push_worker_unavailable", "The worker is not responding."),
  invalid_subscription: coded(400, "invalid_subscription", "The keys are not valid."),
  endpoint_not_allowed: coded(400, "endpoint_not_allowed", "Only public https addresses can be notified."),
  too_many_devices: coded(409, "too_many_devices", "You have 20 devices, the maximum. Remove one first."),
  alert_not_found: coded(404, "alert_not_found", "This alert does not exist."),
  quick_fix_failed: coded(503, "quick_fix_failed", "The quick fix failed."),
  quick_fix_not_found: coded(404, "quick_fix_not_found", "This alert has no such quick fix."),
  missing_fields: coded(400, "missing_fields", "A required field is missing."),
  invalid_alerts_token: coded(401, "invalid_alerts_token", "Wrong alerts token."),
  alerts_not_configured: coded(
    503,
    "alerts_not_configured",
    "Incoming alerts are not set up on this server.",
  ),
  ...REPO_REASONS,
  headers_too_large: coded(431, "headers_too_large", "The address and headers are too large."),
  request_timeout: coded(408, "request_timeout", "The request took too long. Send it again."),
  unreadable_request: coded(400, "unreadable_request", "This is not an HTTP request."),
  too_many_fields: coded(413, "too_many_fields", "Too many fields. The limit is 200."),
  payload_too_large: coded(413, "payload_too_large", "The body is too large."),
  library_full: coded(
    413,
    "library_full",
    "The library is full. Empty the trash or delete old outputs, then try again.",
  ),
  execution_disabled: coded(503, "execution_disabled", "Running code is turned off on this server."),
  queue_unavailable: coded(503, "queue_unavailable", "No worker is free. Try again soon."),
  run_interrupted: coded(503, "run_interrupted", "The worker stopped during the run. Run it again."),
  rate_limit_exceeded: coded(429, "rate_limit_exceeded", "Too many requests. Try again later."),
  server_busy: coded(503, "server_busy", "The server is busy. Try again soon."),
  writing_paused: coded(
    503,
    "writing_paused",
    "Writing is paused for a move. Reading goes on; try again soon.",
  ),
  disk_full: coded(507, "disk_full", "The disk is full. Nothing was saved. Tell an administrator."),
  internal: coded(500, "internal", "Something went wrong."),
  storage_unavailable: coded(503, "storage_unavailable", "The database is unavailable. Try again soon."),
} as const satisfies Record<string, Reason>;

export type RefusalCode = keyof typeof REASONS;
export type RefusalContext = Readonly<Record<string, unknown>>;
export type Refusal = { readonly refused: RefusalCode; readonly context: RefusalContext };
export type RefusalBody = { error: string; code: RefusalCode; message?: string; [context: string]: unknown };

export function Refusal(refused: RefusalCode, context: RefusalContext = {}): Refusal {
  return { refused, context };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "refused" in value && "context" in value;
}

export function refusalStatus(refusal: Refusal): number {
  return REASONS[refusal.refused].status;
}

export function refusalBody(refusal: Refusal): RefusalBody {
  const { status: _, ...words }: Reason = REASONS[refusal.refused];
  return { ...words, ...describeParameter(refusal), code: refusal.refused, ...cutTexts(refusal.context) };
}

/** More than the text of a note. A refusal repeats what was sent, which may be much longer. */
const REPEATED_MAX = 25_000;

const cutTexts = (context: Refusal["context"]): Refusal["context"] =>
  Object.fromEntries(
    Object.entries(context).map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, REPEATED_MAX) : value,
    ]),
  );

/** Names the wrong parameter and its allowed values. */
function describeParameter({ refused, context }: Refusal): { message?: string } {
  const { field, allowed, min, max } = context;
  if ((refused !== "invalid_query" && refused !== "invalid_limit") || field === undefined) return {};
  const subject = `The parameter “${field}”`;
  if (Array.isArray(allowed)) return { message: `${subject} must be one of: ${allowed.join(", ")}.` };
  if (min !== undefined) return { message: `${subject} must be a whole number from ${min} to ${max}.` };
  return { message: `${subject} is not valid.` };
}
