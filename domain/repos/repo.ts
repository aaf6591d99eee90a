import { Refusal } from "#domain/refusal.ts";
import { hasControlCharacters, utf8Bytes } from "#domain/text/text.ts";
import { listKeys } from "#domain/typed-keys.ts";

/**
 * Rules for mirrored repositories: allowed addresses, names, and the paths to keep. Paths and branch names come from strangers:
 * they are stored and shown as text and are never part of a path on disk.
 */
export const REPOS_MAX = 20;
export const REPO_PATH_MAX = 4_096;
/** Longer paths cannot be checked out on every system, and their addresses are too long for a request. */
const KEPT_PATH_MAX_BYTES = 1_024;
export const REPO_NAME_MAX = 300;
/** Larger files are listed, but their text is not stored, searched or imported. */
export const REPO_TEXT_MAX_BYTES = 1024 * 1024;
/** Larger directories are listed up to here. */
export const TREE_ENTRIES_MAX = 5_000;
export const REPO_URL_MAX = 2_000;
export const REPO_TOKEN_MAX = 500;

export const REPO_STATES = ["waiting", "syncing", "ready", "failed"] as const;
export type RepoState = (typeof REPO_STATES)[number];

/** Only texts can be opened. */
export const REPO_FILE_KINDS = ["text", "binary", "large", "symlink", "submodule"] as const;
export type RepoFileKind = (typeof REPO_FILE_KINDS)[number];

/** The English reasons of failed syncs. What was mirrored before stays readable. */
export const SYNC_ERROR_MESSAGES = {
  git_missing: "Git is not installed on the server. Ask your administrator.",
  git_too_old: "Git on the server is too old. Ask your administrator.",
  address_refused: "The address points to a private network.",
  unreachable: "The host could not be reached.",
  certificate_untrusted: "The host’s certificate is not trusted.",
  remote_not_found: "No repository at this address, or it is private.",
  access_denied: "The host needs a token, or rejected the one given.",
  moved: "The repository has moved. Enter its new URL.",
  timed_out: "The sync took too long.",
  too_large: "The repository is too large.",
  too_many_files: "The repository has too many files.",
  mirrors_full: "Your mirrors are full. Remove one first.",
  token_unreadable: "The token can’t be read. Enter it again.",
  git_failed: "Git could not copy the repository.",
} as const;
export const SYNC_ERRORS = listKeys(SYNC_ERROR_MESSAGES);
export type SyncError = (typeof SYNC_ERRORS)[number];
/** Errors that keep a worker from copying any repository. */
export type GitFaultCode = Extract<SyncError, "git_missing" | "git_too_old">;

type UrlRule = {
  /** Also allows `file:` and `127.0.0.1` with a port, with or without TLS, for tests. */
  allowLocal: boolean;
};

/** Returns the address for git: https without user, query or fragment. Another rule checks that its host is public. */
export function checkRepoUrl(text: string, { allowLocal }: UrlRule): string | Refusal {
  const refusal = Refusal("repo_url_not_allowed");
  if (text.length > REPO_URL_MAX || hasControlCharacters(text)) return refusal;
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) return refusal;
  const url = new URL(trimmed);
  const isLocal = isLocalUrl(url);
  if (isLocal && !allowLocal && url.protocol === "https:") return Refusal("repo_url_not_public");
  if (isLocal ? !allowLocal : url.protocol !== "https:") return refusal;
  if (url.username || url.password || url.search || url.hash) return refusal;
  return splitSegments(url).length === 0 ? refusal : url.href.replace(/\/+$/, "");
}

function isLocalUrl(url: URL): boolean {
  if (url.protocol === "file:") return url.host === "";
  return /^https?:$/.test(url.protocol) && url.hostname === "127.0.0.1" && url.port !== "";
}

export const isLocalRemote = (text: string) => isLocalUrl(new URL(text));

const splitSegments = ({ pathname }: URL) => pathname.split("/").filter(Boolean).map(decodeSegment);

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Reads `owner/name` from the last two parts of the address. */
export function hostedName(url: string): { owner: string; name: string } {
  const segments = splitSegments(new URL(url));
  const name = (segments.at(-1) ?? "").replace(/\.git$/i, "");
  return { owner: segments.at(-2) ?? "local", name };
}

const NAME_PART = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._-]{1,100}$/u;

export function checkRepoName(name: string): string | Refusal {
  const parts = name.split("/");
  const isValid = parts.length === 2 && parts.every((part) => NAME_PART.test(part));
  return isValid ? name : Refusal("invalid_repo_name");
}

/** A mirror is named after its address unless its owner chooses a name. */
export function chooseRepoName(name: string | null | undefined, url: string): string | Refusal {
  const { owner, name: hostedRepoName } = hostedName(url);
  return checkRepoName(name || `${owner}/${hostedRepoName}`);
}

export function checkRepoToken(token: string | null | undefined): string | null | Refusal {
  if (!token) return null;
  const isValid = token.length <= REPO_TOKEN_MAX && /^[\x21-\x7e]+$/.test(token);
  return isValid ? token : Refusal("invalid_repo_token");
}

/** Normalises an address, because a push may spell it differently. */
export function repoKey(url: string): string {
  const { host, protocol, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/i, "");
  return protocol === "file:" ? `file:${path}` : `${host}${path}`.toLowerCase();
}

/** True if the repository is at the host of this API, so that the host's token may be sent there. */
export function isHostedBy(repoUrl: string, apiUrl: string): boolean {
  const [repo, api] = [new URL(repoUrl), new URL(apiUrl)];
  if (isLocalUrl(repo)) return api.hostname === "127.0.0.1";
  return api.hostname === repo.hostname || api.hostname === `api.${repo.hostname}`;
}

/** Accepts relative paths of ordinary parts and limited length. `.git` inside a tree, `..` and invalid text are left out and counted. */
export function isStorablePath(path: string): boolean {
  const parts = path.split("/");
  const hasStrangePart = parts.some(
    (part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part),
  );
  return (
    !hasStrangePart && path.isWellFormed() && !path.includes("\0") && utf8Bytes(path) <= KEPT_PATH_MAX_BYTES
  );
}

/** Trims slashes around a requested directory; the root is "". */
export function checkTreePath(path: string): string | Refusal {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" || isStorablePath(trimmed) ? trimmed : Refusal("repo_path_not_found", { path });
}

export const getParent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Lists the directories above the paths once each, without the root. */
export function* listParentFolders(paths: Iterable<string>): Generator<string> {
  const listed = new Set<string>();
  for (const path of paths) {
    // If a directory was listed, all above it were listed too.
    for (let dir = getParent(path); dir !== "" && !listed.has(dir); dir = getParent(dir)) {
      listed.add(dir);
      yield dir;
    }
  }
}

export function buildSourceUrl(repoUrl: string, branch: string | null, path: string): string {
  const base = repoUrl.replace(/\.git$/i, "");
  const encodedPath = path.split("/").map(encodeURIComponent).join("/");
  return repoUrl.startsWith("file:")
    ? `${base}#${encodedPath}`
    : `${base}/blob/${encodeURIComponent(branch ?? "HEAD")}/${encodedPath}`;
}

/** Returns the path of an address at the host; null for any other address. */
export function parseSourcePath(
  repoUrl: string,
  branch: string | null,
  sourceUrl: string | null,
): string | null {
  const rootUrl = buildSourceUrl(repoUrl, branch, "");
  if (!sourceUrl?.startsWith(rootUrl)) return null;
  return sourceUrl.slice(rootUrl.length).split("/").map(decodeSegment).join("/");
}
