/**
 * Every reason the product says no, with its HTTP status and the words it has on the wire. A refusal is an ordinary value
 * that travels unchanged from the rule that found it to the answer; a fault is thrown instead.
 * It is recognised by its shape: the web process loads this module twice and a class would exist twice.
 */
type Reason = { status: number; error: string; message?: string };

// Where a client reads the reason as a code, `error` is the code itself and `message` explains it to a person.
const coded = (status: number, code: string, message: string): Reason => ({ status, error: code, message });
const worded = (status: number, error: string): Reason => ({ status, error });

export const REASONS = {
  auth_required: worded(401, "Authentication required"),
  invalid_hash: worded(401, "Invalid authentication"),
  auth_expired: worded(401, "Invalid authentication"),
  missing_field: worded(401, "Invalid authentication"),
  unknown_login_state: worded(401, "Invalid authentication"),
  wrong_sign_in_code: coded(403, "wrong_sign_in_code", "That is not the code that was printed at the start."),
  admin_only: coded(403, "admin_only", "Only administrators may do this."),
  premium_required: worded(403, "Premium or admin role required"),
  cross_site_request: coded(403, "cross_site_request", "The request came from another site."),
  not_found: coded(404, "not_found", "There is nothing at this address."),
  file_not_found: worded(404, "File not found"),
  version_not_found: worded(404, "File not found"),
  stale_edit: coded(409, "stale_edit", "A newer version was saved meanwhile; nothing was overwritten."),
  file_name_taken: coded(409, "file_name_taken", "Another file has this name."),
  job_not_found: coded(404, "job_not_found", "There is no such job."),
  run_not_found: coded(404, "run_not_found", "There is no such run."),
  reminder_not_found: worded(404, "Reminder not found"),
  invalid_time: coded(400, "invalid_time", "A time looks like 2026-11-14T09:00."),
  invalid_preset: coded(400, "invalid_preset", "There is no such preset."),
  invalid_timezone: coded(400, "invalid_timezone", "A time zone looks like Asia/Jerusalem."),
  time_not_in_future: worded(400, "Time must be in the future"),
  invalid_minutes: worded(400, "Invalid minutes"),
  invalid_remind_at: coded(400, "invalid_remind_at", "A moment looks like 2026-11-14T09:00:00.000+00:00."),
  invalid_token_name: coded(400, "invalid_token_name", "A token needs a name of at most 60 characters."),
  token_limit: coded(409, "token_limit", "There are 20 tokens already; revoke one first."),
  token_not_found: coded(404, "token_not_found", "There is no such token."),
  instructions_too_long: coded(413, "instructions_too_long", "Agent instructions have at most 24 KiB."),
  stale_instructions: coded(
    409,
    "stale_instructions",
    "They were changed meanwhile; nothing was overwritten.",
  ),
  import_under_way: coded(409, "import_under_way", "Another import is under way; wait for it or cancel it."),
  import_store_full: coded(503, "import_store_full", "Too many imports are waiting; try again later."),
  import_too_large: coded(413, "import_too_large", "The zip is larger than can be imported."),
  import_not_found: coded(404, "import_not_found", "The zip is no longer here; send it again."),
  no_zip: coded(400, "no_zip", "No zip was chosen."),
  not_confirmed: coded(400, "not_confirmed", "The words that confirm it were not typed."),
  account_leaving: coded(503, "account_leaving", "This account is being deleted; try again in a moment."),
  credential_not_found: coded(404, "credential_not_found", "It has already ended."),
  account_locked: coded(403, "account_locked", "This account is locked by an administrator."),
  appointed_admin: coded(
    409,
    "appointed_admin",
    "An administrator named in ADMIN_USER_IDS cannot be locked.",
  ),
  read_only_token: coded(403, "read_only_token", "This token may read and change nothing."),
  method_not_allowed: coded(405, "method_not_allowed", "This address does not answer to that method."),
  invalid_payload: coded(400, "invalid_payload", "The body is not what this address expects."),
  invalid_query: coded(400, "invalid_query", "A query parameter has a value that cannot be used."),
  invalid_cursor: coded(400, "invalid_cursor", "The cursor is damaged; start again from the first page."),
  invalid_file_name: worded(400, "Invalid file name"),
  no_files: worded(400, "No files selected"),
  too_many_files: worded(400, "Too many files (max 100)"),
  invalid_file_id: worded(400, "Invalid file id"),
  files_not_found: worded(404, "Some files not found"),
  no_tags: worded(400, "No tags provided"),
  missing_share_id: worded(400, "Missing share_id"),
  share_not_found: worded(404, "Share not found"),
  share_without_content: worded(409, "Share has no full content"),
  share_limit: coded(409, "share_limit", "There are 200 shares already; revoke one first."),
  share_locked: coded(403, "share_locked", "This share has to be opened on its page first."),
  wrong_share_password: coded(403, "wrong_share_password", "That is not the password of this share."),
  invalid_share_lines: coded(
    400,
    "invalid_share_lines",
    "The file has no such lines; a range looks like 4-8.",
  ),
  invalid_share_views: coded(400, "invalid_share_views", "Views are a whole number from 1 to 1,000,000."),
  invalid_share_password: coded(400, "invalid_share_password", "A password has 6 to 200 characters."),
  announcement_not_found: coded(404, "announcement_not_found", "There is no such announcement."),
  invalid_announcement_text: coded(
    400,
    "invalid_announcement_text",
    "An announcement is one line of 1 to 280 characters.",
  ),
  invalid_announcement_link: coded(
    400,
    "invalid_announcement_link",
    "A link is a path of this site, beginning with a slash.",
  ),
  user_not_found: coded(404, "user_not_found", "Nobody with this id has signed in."),
  own_account: coded(409, "own_account", "Your own account is changed by another administrator."),
  missing_code: worded(400, "Missing code"),
  no_tool: coded(
    400,
    "no_tool",
    "There is no tool for this language; `supported` names those that have one.",
  ),
  not_runnable: coded(400, "not_runnable", "Only Python can be run."),
  syntax_error: coded(400, "syntax_error", "The code cannot be read in this language."),
  tool_too_slow: coded(
    504,
    "tool_too_slow",
    "The tool was stopped after 10 seconds: this code is too large or too intricate for it; try a smaller part.",
  ),
  tool_failed: coded(422, "tool_failed", "The tool cannot cope with this code."),
  missing_context: coded(400, "missing_context", "Send the code or the context to explain."),
  explain_failed: coded(502, "explain_failed", "The model that explains could not be asked."),
  explain_timeout: coded(504, "explain_timeout", "The model that explains took too long."),
  tools_busy: coded(503, "tools_busy", "The tools are busy; try again in a moment."),
  pin_limit: coded(409, "pin_limit", "Eight files are pinned already; unpin one first."),
  description_too_long: coded(400, "description_too_long", "The description is too long."),
  invalid_tags: coded(400, "invalid_tags", "There are too many tags, or one of them is too long."),
  unknown_language: coded(400, "unknown_language", "There is no such programming language."),
  binary_content: coded(
    415,
    "binary_content",
    "Only text in UTF-8 can be kept; this looks like a binary file.",
  ),
  note_not_found: worded(404, "Note not found"),
  board_not_found: worded(404, "Board not found"),
  conflict: coded(409, "conflict", "The note was changed meanwhile; nothing was overwritten."),
  duplicate_title: coded(409, "duplicate_title", "Another note here has this title."),
  note_quota_exceeded: coded(409, "note_quota_exceeded", "There is no room for another note."),
  board_quota_exceeded: coded(409, "board_quota_exceeded", "There is no room for another board."),
  cannot_delete_default: coded(409, "cannot_delete_default", "The default board cannot be deleted."),
  task_index_not_found: coded(409, "task_index_not_found", "The note has no such task any more."),
  out_of_range: coded(400, "out_of_range", "A number is outside its range."),
  content_too_long: coded(400, "content_too_long", "The note is too long."),
  title_too_long: coded(400, "title_too_long", "The title is too long."),
  invalid_title: coded(400, "invalid_title", "A title is one line of text."),
  invalid_color: coded(400, "invalid_color", "There is no such colour."),
  invalid_mode: coded(400, "invalid_mode", "There is no such display mode."),
  invalid_prev_updated_at: coded(
    400,
    "invalid_prev_updated_at",
    "It must be an ISO 8601 moment with its offset.",
  ),
  invalid_board_name: coded(400, "invalid_board_name", "A board's name is one line of 1 to 80 characters."),
  empty_query: coded(400, "empty_query", "Say what to look for."),
  note_content_not_found: coded(404, "note_content_not_found", "The note has no such past content."),
  anchor_lost: coded(409, "anchor_lost", "The place of the note is lost; choose its lines anew."),
  target_fixed: coded(400, "target_fixed", "A note stays where it was put."),
  invalid_limit: coded(400, "invalid_limit", "The limit must be a whole number from 1 on."),
  query_too_long: coded(400, "query_too_long", "What to look for is too long."),
  unsupported_view: coded(415, "unsupported_view", "This file is of another kind than this view shows."),
  push_not_configured: coded(
    503,
    "push_not_configured",
    "This server has no keys to send notifications with.",
  ),
  push_worker_unavailable: coded(503, "push_worker_unavailable", "No worker took the message in time."),
  invalid_subscription: coded(400, "invalid_subscription", "The keys are not those of a browser."),
  endpoint_not_allowed: coded(
    400,
    "endpoint_not_allowed",
    "Only https addresses outside private networks can be notified.",
  ),
  too_many_devices: coded(409, "too_many_devices", "Too many devices are registered; remove one first."),
  alert_not_found: coded(404, "alert_not_found", "There is no such alert."),
  quick_fix_failed: coded(503, "quick_fix_failed", "The quick fix could not be done."),
  quick_fix_not_found: coded(404, "quick_fix_not_found", "This alert has no such quick fix."),
  missing_fields: coded(400, "missing_fields", "A field that is needed is missing."),
  invalid_alerts_token: coded(401, "invalid_alerts_token", "The token is not the one alerts are sent with."),
  alerts_not_configured: coded(503, "alerts_not_configured", "This server has no token to take alerts with."),
  repo_not_found: coded(404, "repo_not_found", "No repository of this name is mirrored."),
  repo_path_not_found: coded(404, "repo_path_not_found", "The mirrored copy has no such path."),
  repo_not_synced: coded(503, "repo_not_synced", "The repository has not been copied yet; try again soon."),
  repo_url_not_allowed: coded(
    400,
    "repo_url_not_allowed",
    "Only https addresses outside private networks can be mirrored, without a user or a query.",
  ),
  invalid_repo_name: coded(
    400,
    "invalid_repo_name",
    "A repository is called owner/name: letters, digits, dots, dashes and underscores.",
  ),
  invalid_repo_token: coded(400, "invalid_repo_token", "A token is one word of at most 500 characters."),
  repo_name_taken: coded(409, "repo_name_taken", "Another mirrored repository has this name."),
  repo_limit: coded(409, "repo_limit", "Twenty repositories are mirrored already; end one first."),
  repo_import_empty: coded(400, "repo_import_empty", "There is no text file to import at this path."),
  repo_import_too_large: coded(
    413,
    "repo_import_too_large",
    "At most 2,000 files and 20 MiB are imported at once; choose a smaller directory.",
  ),
  repo_not_analysed: coded(404, "repo_not_analysed", "The repository has not been analysed yet."),
  webhook_not_configured: coded(
    503,
    "webhook_not_configured",
    "This server has no secret to take pushes with.",
  ),
  invalid_webhook_signature: coded(
    401,
    "invalid_webhook_signature",
    "The signature is not one made with the secret of this server.",
  ),
  codehost_not_configured: coded(
    503,
    "codehost_not_configured",
    "This server is not connected to a code host for this repository.",
  ),
  codehost_token_missing: coded(
    403,
    "codehost_token_missing",
    "Mirror the repository with a token that may write to it.",
  ),
  codehost_session_required: coded(
    403,
    "codehost_session_required",
    "This installation's own token is used from a signed-in browser alone; mirror the repository with a token of its own.",
  ),
  codehost_rate_limited: coded(
    429,
    "codehost_rate_limited",
    "The code host allows no more requests for now.",
  ),
  codehost_denied: coded(502, "codehost_denied", "The code host does not accept the token."),
  codehost_not_found: coded(404, "codehost_not_found", "The code host has no such repository or branch."),
  codehost_conflict: coded(409, "codehost_conflict", "The file was changed at the code host meanwhile."),
  codehost_rejected: coded(422, "codehost_rejected", "The code host does not accept this path or text."),
  codehost_timeout: coded(504, "codehost_timeout", "The code host took too long."),
  codehost_failed: coded(502, "codehost_failed", "The code host could not be asked."),
  headers_too_large: coded(431, "headers_too_large", "The address and headers are larger than allowed."),
  request_timeout: coded(408, "request_timeout", "The request did not arrive in time."),
  unreadable_request: coded(400, "unreadable_request", "This is not an HTTP request."),
  too_many_fields: coded(413, "too_many_fields", "A form has at most 200 fields."),
  payload_too_large: coded(413, "payload_too_large", "The body is larger than allowed."),
  library_full: coded(
    413,
    "library_full",
    "There is no room left in the library; delete files for good and try again.",
  ),
  execution_disabled: coded(503, "execution_disabled", "Running code is switched off here."),
  queue_unavailable: coded(503, "queue_unavailable", "No worker can take the run right now; try again soon."),
  run_interrupted: coded(503, "run_interrupted", "The worker stopped during the run; it is not repeated."),
  rate_limit_exceeded: coded(429, "rate_limit_exceeded", "Too many requests; try again later."),
  server_busy: coded(503, "server_busy", "Too many requests are being answered right now; try again soon."),
  internal: coded(500, "internal", "Something went wrong on our side."),
  storage_unavailable: coded(
    503,
    "storage_unavailable",
    "The storage cannot be reached right now; try again soon.",
  ),
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
  return { ...words, code: refusal.refused, ...refusal.context };
}
