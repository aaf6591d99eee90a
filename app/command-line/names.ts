import { isDeviceName, isRepositoryName } from "#domain/files/unsafe-name.ts";
import { failure } from "./output.ts";

const WINDOWS_NAME = /[<>:"|?*]|[. ]$/;

/** Files that shells, editors and tools run or obey by themselves once they are in a folder. */
const RUNS_BY_ITSELF = new RegExp(
  `(^|/)(${[
    String.raw`\.envrc|HEAD|\.?mise\.toml|\.tool-versions|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|autorun\.inf|desktop\.ini`,
    String.raw`\.((ba|z|k|c|tc)shrc|bash_(profile|login|logout)|z?(profile|login|logout)|zshenv)`,
    String.raw`\.?n?(vim|ex)rc|\.nvim\.lua|\.dir-locals\.el|\.emacs(\.el)?|\.gdbinit|\.lldbinit|\.screenrc|\.tmux\.conf|\.gitconfig|\.hgrc|\.gitmodules`,
    String.raw`\.x(initrc|profile|session)|\.inputrc|\.pythonrc(\.py)?|\.pnp\.[cm]?js|\.pre-commit-config\.ya?ml|\.?lefthook\.ya?ml|\.mcp\.json`,
    String.raw`(site|user)customize\.py|[^/]+\.pth`,
    String.raw`\.?(git)?-?hooks/[^/]+|\.(husky|vscode|idea|devcontainer|ssh|vim|emacs\.d|cargo|direnv|claude|cursor|zed|config/(git|fish|direnv|mise))/.+`,
  ].join("|")})$`,
  "i",
);

const RUNNING = "tools run or obey this file by themselves; --force writes it";

// Marks of direction alone are ordinary in Hebrew names; what turns text around is not.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
const STEERING = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;

/** Why a path of the library is not written to on this machine; null if it may be. Such names are not uploaded either. */
export function explainUnsafePath(path: string) {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "the path leaves the folder";
  if (path.includes("\\")) return "the name has a backslash";
  if (names.some((name) => /^[a-z]:$/i.test(name))) return "Windows takes the name for a drive";
  if (STEERING.test(path)) return "the name has control characters";
  if (names.some(isRepositoryName)) return "it would be in the folder of a version control system";
  if (process.platform === "win32" && names.some((name) => WINDOWS_NAME.test(name) || isDeviceName(name)))
    return "Windows does not allow the name";
  return null;
}

export const STATE_NAME = ".codeshelf-sync.json";
export const TEMPORARY = /^\.codeshelf-[0-9a-f]{12}\.tmp$/;
export const LOCK_NAME = ".codeshelf-sync.lock";

const JUNK_FOLDERS = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".mypy_cache", ".pytest_cache"],
  ...[".ruff_cache", ".tox", ".nox", ".Trash", ".Spotlight-V100", ".fseventsd", "$RECYCLE.BIN"],
]);

const JUNK_FILE = /^(\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|\.#.*|#.*#|.*~|~\$.*|.*\.sw[a-p]|.*\.py[co])$/i;
export const OWN_FILE = new Set([STATE_NAME, LOCK_NAME]);
export const MAY_HOLD_SECRETS = "may hold secrets; push it by its name to save it";

export function isJunk(path: string) {
  const names = path.split("/");
  const name = names.pop() ?? "";
  return (
    JUNK_FILE.test(name) ||
    OWN_FILE.has(name) ||
    TEMPORARY.test(name) ||
    names.some((folder) => JUNK_FOLDERS.has(folder))
  );
}

export function requireForce(path: string, force: boolean) {
  if (!force && RUNS_BY_ITSELF.test(path)) throw failure("unsafe_path", RUNNING);
}
