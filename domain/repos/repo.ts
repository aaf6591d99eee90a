import { Refusal } from "#domain/refusal.ts";
import { hasControlCharacters, utf8Bytes } from "#domain/text/text.ts";
import { listKeys } from "#domain/typed-keys.ts";

/**
 * A mirrored repository: which addresses may be mirrored, what a mirror is called, and which of its paths are kept. Paths and
 * names of branches come from strangers: they are kept and shown as text and are never part of a path on disk.
 */
export const REPOS_MAX = 20;
export const REPO_PATH_MAX = 4_096;
/** A longer path cannot be checked out on every system, and its address is too long for a request. */
const KEPT_PATH_MAX_BYTES = 1_024;
export const REPO_NAME_MAX = 300;
/** Texts up to this size are stored to be read, searched and imported. Of larger files only the name is stored. */
export const REPO_TEXT_MAX_BYTES = 1024 * 1024;
/** A directory of more entries is listed up to here. */
export const TREE_ENTRIES_MAX = 5_000;
export const REPO_URL_MAX = 2_000;
export const REPO_TOKEN_MAX = 500;

export const REPO_STATES = ["waiting", "syncing", "ready", "failed"] as const;
export type RepoState = (typeof REPO_STATES)[number];

/** What a file is to its readers: only a text can be opened. */
export const REPO_FILE_KINDS = ["text", "binary", "large", "symlink", "submodule"] as const;
export type RepoFileKind = (typeof REPO_FILE_KINDS)[number];

/** Why a mirror could not be brought up to date, in English; what it had before stays readable. */
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
/** What keeps a worker from copying any repository at all. */
export type GitFaultCode = Extract<SyncError, "git_missing" | "git_too_old">;

type UrlRule = {
  /** Also `file:` and `http://127.0.0.1:<port>`, with or without TLS, for tests. */
  allowLocal: boolean;
};

/** The address as git is given it: https without a user, a query or a fragment. Whether its host is public is checked elsewhere. */
export function checkRepoUrl(text: string, { allowLocal }: UrlRule): string | Refusal {
  const refusal = Refusal("repo_url_not_allowed");
  if (text.length > REPO_URL_MAX || hasControlCharacters(text)) return refusal;
  const given = text.trim();
  if (!URL.canParse(given)) return refusal;
  const url = new URL(given);
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

const splitSegments = ({ pathname }: URL) => pathname.split("/").filter(Boolean).map(decodedSegment);

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `owner/name` as the host calls it: the last two parts of the address. */
export function hostedName(url: string): { owner: string; name: string } {
  const segments = splitSegments(new URL(url));
  const name = (segments.at(-1) ?? "").replace(/\.git$/i, "");
  return { owner: segments.at(-2) ?? "local", name };
}

const NAME_PART = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._-]{1,100}$/u;

/** `owner/name`. */
export function checkRepoName(name: string): string | Refusal {
  const parts = name.split("/");
  const good = parts.length === 2 && parts.every((part) => NAME_PART.test(part));
  return good ? name : Refusal("invalid_repo_name");
}

/** A mirror is called by its address unless its owner says otherwise. */
export function chooseRepoName(name: string | null | undefined, url: string): string | Refusal {
  const { owner, name: hosted } = hostedName(url);
  return checkRepoName(name || `${owner}/${hosted}`);
}

export function checkRepoToken(token: string | null | undefined): string | null | Refusal {
  if (!token) return null;
  const good = token.length <= REPO_TOKEN_MAX && /^[\x21-\x7e]+$/.test(token);
  return good ? token : Refusal("invalid_repo_token");
}

/** A normal form of an address, because a push may spell it differently. */
export function repoKey(url: string): string {
  const { host, protocol, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "").replace(/\.git$/i, "");
  return protocol === "file:" ? `file:${path}` : `${host}${path}`.toLowerCase();
}

/** Whether a repository lives at the host whose API this is, so that its token may be sent there. */
export function isHostedBy(repoUrl: string, apiUrl: string): boolean {
  const [repo, api] = [new URL(repoUrl), new URL(apiUrl)];
  if (isLocalUrl(repo)) return api.hostname === "127.0.0.1";
  return api.hostname === repo.hostname || api.hostname === `api.${repo.hostname}`;
}

/**
 * Which paths of a tree are kept: relative, of ordinary parts, not too long. A `.git` inside a tree, `..`, and what is no text
 * are left out and counted.
 */
export function isKeepablePath(path: string): boolean {
  const parts = path.split("/");
  const strange = parts.some((part) => part === "" || part === "." || part === ".." || /^\.git$/i.test(part));
  return !strange && path.isWellFormed() && !path.includes("\0") && utf8Bytes(path) <= KEPT_PATH_MAX_BYTES;
}

/** A directory of a request: without slashes around it; the root is empty. */
export function checkTreePath(path: string): string | Refusal {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" || isKeepablePath(trimmed) ? trimmed : Refusal("repo_path_not_found", { path });
}

export const getParent = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The directories above these paths, each once, the root left out. */
export function* listFolders(paths: Iterable<string>): Generator<string> {
  const met = new Set<string>();
  for (const path of paths) {
    // All above a directory that was met have been met, too.
    for (let dir = getParent(path); dir !== "" && !met.has(dir); dir = getParent(dir)) {
      met.add(dir);
      yield dir;
    }
  }
}

/** Where a file is read at its host. */
export function buildSourceUrl(repoUrl: string, branch: string | null, path: string): string {
  const base = repoUrl.replace(/\.git$/i, "");
  const place = path.split("/").map(encodeURIComponent).join("/");
  return repoUrl.startsWith("file:")
    ? `${base}#${place}`
    : `${base}/blob/${encodeURIComponent(branch ?? "HEAD")}/${place}`;
}

/** The path whose address at its host this is; null for any other address. */
export function parseSourcePath(
  repoUrl: string,
  branch: string | null,
  sourceUrl: string | null,
): string | null {
  const before = buildSourceUrl(repoUrl, branch, "");
  if (!sourceUrl?.startsWith(before)) return null;
  return sourceUrl.slice(before.length).split("/").map(decodedSegment).join("/");
}
