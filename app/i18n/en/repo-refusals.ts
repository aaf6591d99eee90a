import type { SyncError } from "#domain/repos/repo.ts";
import type { Suggestion } from "#domain/repos/repo-analysis.ts";

export const repoRefusals = {
  repo_not_found: "You mirror no repository of this name.",
  repo_path_not_found: "The mirrored copy has no such file or directory.",
  repo_not_synced: "This repository has not been copied yet. Try again in a moment.",
  repo_url_not_allowed:
    "This address cannot be mirrored. It must begin with https://, be reachable from the public network, and hold no user name, password or query.",
  invalid_repo_name: "Call it owner/name: letters, digits, dots, dashes and underscores.",
  invalid_repo_token: "A token is one word of at most 500 characters.",
  repo_name_taken: "You already mirror a repository of this name.",
  repo_limit: "You mirror 20 repositories already. End one first.",
  repo_import_empty: "There is no text file to import here.",
  repo_import_too_large: "At most 2,000 files and 20 MiB are imported at once. Choose a smaller directory.",
  repo_not_analysed: "This repository has not been analysed yet.",
  webhook_not_configured: "This server takes no pushes.",
  invalid_webhook_signature: "The signature of the push is wrong.",
  codehost_not_configured: "This server is not connected to the code host of this repository.",
  codehost_token_missing: "To send files there, mirror the repository with a token that may write to it.",
  codehost_session_required:
    "The token of this installation is used from a signed-in browser alone. Mirror the repository with a token of its own.",
  codehost_rate_limited: "The code host allows no more requests for now. Try again later.",
  codehost_denied: "The code host does not accept the token.",
  codehost_not_found: "The code host has no such repository or branch.",
  codehost_conflict: "The file was changed at the code host meanwhile. Sync and try again.",
  codehost_rejected: "The code host does not accept this path or text.",
  codehost_timeout: "The code host took too long to answer.",
  codehost_failed: "The code host could not be reached.",
};

/** Why a mirror could not be brought up to date. */
export const syncErrors = {
  git_missing: "The server that copies repositories has no git. Its operator has to install it.",
  git_too_old: "The git of the server is too old to copy repositories safely.",
  address_refused: "The address leads into a private network.",
  unreachable: "The host could not be reached.",
  certificate_untrusted: "The certificate of the host is not one that this server trusts.",
  remote_not_found: "There is no repository at this address, or it is private.",
  access_denied: "The host wants a token, or does not accept the one it was given.",
  moved: "The repository has moved. Mirror its new address.",
  timed_out: "Copying took too long.",
  too_large: "The repository is larger than can be mirrored here.",
  too_many_files: "The repository has more files than can be mirrored here.",
  mirrors_full: "All your mirrors together have reached their limit. End one first.",
  token_unreadable: "The token can no longer be read. End the mirror and add it again.",
  git_failed: "git could not copy the repository.",
} satisfies Record<SyncError, string>;

export const suggestions = {
  add_readme: "Add a README that says what this is.",
  add_licence: "Add a licence, so that others know what they may do.",
  add_tests: "No tests were found.",
  add_ci: "No continuous integration was found.",
  add_ignore_file: "Add a .gitignore.",
  lock_dependencies: "Commit the lock file of the dependencies.",
  keep_large_files_out: "Files of more than 5 MB make every copy slow.",
  split_large_files: "Some source files have more than 200 KB.",
  remove_secrets: "There are files that usually hold secrets.",
} satisfies Record<Suggestion, string>;
