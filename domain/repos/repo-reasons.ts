import { coded } from "#domain/reason.ts";

export const REPO_REASONS = {
  repo_not_found: coded(404, "repo_not_found", "No mirror with this name."),
  repo_path_not_found: coded(404, "repo_path_not_found", "No such path in this mirror."),
  repo_not_synced: coded(503, "repo_not_synced", "The first sync is not finished. Try again soon."),
  repo_url_not_allowed: coded(
    400,
    "repo_url_not_allowed",
    "Send a public https address without a user or a query.",
  ),
  repo_url_not_public: coded(
    400,
    "repo_url_not_public",
    "This address is not public. Send the address of a public host.",
  ),
  invalid_repo_name: coded(
    400,
    "invalid_repo_name",
    "Send the name as owner/name: letters, digits, dots, dashes and underscores.",
  ),
  invalid_repo_token: coded(
    400,
    "invalid_repo_token",
    "Send a token of up to 500 characters, without spaces.",
  ),
  repo_syncing: coded(409, "repo_syncing", "A sync is running. Try again when it has ended."),
  repo_name_taken: coded(409, "repo_name_taken", "Another mirror has this name."),
  repo_limit: coded(409, "repo_limit", "You have 20 mirrors, the maximum. Remove one first."),
  repo_import_empty: coded(400, "repo_import_empty", "No text files to import at this path."),
  repo_import_too_large: coded(
    413,
    "repo_import_too_large",
    "Too many files: the limit is 2,000 files and 20 MiB. Choose a smaller folder.",
  ),
  repo_not_analysed: coded(404, "repo_not_analysed", "Not analysed yet."),
  webhook_not_configured: coded(503, "webhook_not_configured", "Webhooks are not set up on this server."),
  invalid_webhook_signature: coded(401, "invalid_webhook_signature", "The webhook signature is wrong."),
  codehost_not_configured: coded(
    503,
    "codehost_not_configured",
    "This server is not connected to this code host.",
  ),
  codehost_token_missing: coded(
    403,
    "codehost_token_missing",
    "Add the mirror again with a token that can write.",
  ),
  codehost_session_required: coded(
    403,
    "codehost_session_required",
    "Log in to use the server's token, or add the mirror with its own token.",
  ),
  codehost_rate_limited: coded(
    429,
    "codehost_rate_limited",
    "Too many requests to the code host. Try again later.",
  ),
  codehost_denied: coded(502, "codehost_denied", "The code host rejected the token."),
  codehost_not_found: coded(404, "codehost_not_found", "No such repository or branch on the code host."),
  codehost_conflict: coded(
    409,
    "codehost_conflict",
    "The file changed on the code host. Sync and try again.",
  ),
  codehost_rejected: coded(422, "codehost_rejected", "The code host rejected this path or content."),
  codehost_timeout: coded(504, "codehost_timeout", "The code host took too long."),
  codehost_failed: coded(502, "codehost_failed", "The code host could not be reached."),
};
