import { SYNC_ERROR_MESSAGES, type SyncError } from "#domain/repos/repo.ts";
import type { Suggestion } from "#domain/repos/repo-analysis.ts";

export const repoRefusals = {
  repo_not_found: "No mirror with this name.",
  repo_path_not_found: "No such file or folder in this mirror.",
  repo_not_synced: "The first sync is not finished. Try again in a moment.",
  repo_url_not_allowed:
    "Enter the https:// address of a repository, without a user name, password or query. Local folders and SSH addresses can’t be mirrored.",
  repo_url_not_public: "This address is not public. Enter the address of a repository on a public host.",
  invalid_repo_name: "Enter the name as owner/name: letters, digits, dots, dashes and underscores.",
  invalid_repo_token: "Enter a token of up to 500 characters, without spaces.",
  repo_syncing: "A sync is running. Try again in a moment.",
  repo_name_taken: "You already have a mirror with this name.",
  repo_limit: "You have 20 mirrors, the maximum. Remove one first.",
  repo_import_empty: "No text files to import here.",
  repo_import_too_large: "Too many files: the limit is 2,000 files and 20 MiB. Choose a smaller folder.",
  repo_not_analysed: "Not analysed yet.",
  webhook_not_configured: "Webhooks are not set up on this server.",
  invalid_webhook_signature: "The webhook signature is wrong.",
  codehost_not_configured: "This server is not connected to this code host.",
  codehost_token_missing: "Add the mirror again with a token that can write.",
  codehost_session_required: "Log in to use the server’s token, or add the mirror with its own token.",
  codehost_rate_limited: "Too many requests to the code host. Try again later.",
  codehost_denied: "The code host rejected the token.",
  codehost_not_found: "No such repository or branch on the code host.",
  codehost_conflict: "The file changed on the code host. Sync and try again.",
  codehost_rejected: "The code host rejected this path or content.",
  codehost_timeout: "The code host took too long. Try again.",
  codehost_failed: "The code host could not be reached. Try again later.",
};

export const syncErrors: Record<SyncError, string> = SYNC_ERROR_MESSAGES;

export const suggestions = {
  add_readme: "Add a README.",
  add_licence: "Add a licence.",
  add_tests: "Add tests; none were found.",
  add_ci: "Set up continuous integration; none was found.",
  add_ignore_file: "Add a .gitignore.",
  lock_dependencies: "Commit the lock file.",
  keep_large_files_out: "Remove files over 5 MB; they slow down every copy.",
  split_large_files: "Split source files over 200 KB.",
  remove_secrets: "Remove files that usually hold secrets.",
} satisfies Record<Suggestion, string>;
