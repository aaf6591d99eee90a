import { join, resolve } from "node:path";
import { CODE_LIMITS, PRELOADED_IMPORTS } from "#domain/code-runs/code-run.ts";
import { childEnvironment } from "#platform/processes/child-environment.ts";

const PROJECT_ROOT = resolve(import.meta.dirname, "..", "..");
const PACKAGES = join(PROJECT_ROOT, "node_modules");
export const PYODIDE = join(PACKAGES, "pyodide");
/** The child gets nothing of the worker's environment. */
export const NO_ENVIRONMENT = childEnvironment({});
export const CHILD = join(import.meta.dirname, "child.mjs");
export const OWN_FILES = [
  "child.mjs",
  "pyodide-edits.mjs",
  "python.mjs",
  "javascript.mjs",
  "modules.mjs",
  "typescript.mjs",
  "output.mjs",
  "native-code.mjs",
  "wasm-exports.mjs",
  "wasm-memory.mjs",
  "wasm-sections.mjs",
  "guest/text-encoding.js",
  "guest/inspect.js",
  "guest/structured-clone.js",
  "guest/require.js",
  "guest/javascript.js",
  "guest/shims.js",
  "guest/seal.js",
  "guest/files.js",
  "guest/scrypt.js",
  "guest/boot.js",
  "guest/runner.py",
  "guest/key_derivation.py",
  "guest/typical.py",
].map((name) => join(import.meta.dirname, name));

const MB = 1024 * 1024;
const PAGE = 65_536;
// The largest program, the interpreter itself, and its initial snapshot.
const MEMORY_MAX_PAGES = (512 * MB) / PAGE;

// Modules that Python itself imports beyond those allowed for programs: to show a warning, read a date, write a long number, or
// suggest a name.
const USED_BY_PYTHON = [
  "tracemalloc",
  "pickle",
  "select",
  "tempfile",
  "_strptime",
  "_pylong",
  "_suggestions",
];
const READY_MODULES = [...PRELOADED_IMPORTS, ...USED_BY_PYTHON];

const DIRECTORIES = [PYODIDE, join(PACKAGES, "isolated-vm"), join(PACKAGES, "node-gyp-build")];
const FILES = [
  ...OWN_FILES,
  join(PROJECT_ROOT, "package.json"),
  join(PACKAGES, "package.json"),
  "/etc/alpine-release",
];
/** The files that a process reads while it loads, besides its own and the machine's libraries. */
export const READ_PATHS = [...DIRECTORIES, ...FILES];
export const RANDOM_SOURCE = "/dev/urandom";

const FLAGS = [
  "--permission",
  "--allow-addons",
  ...[...DIRECTORIES.map((path) => join(path, "*")), ...FILES, RANDOM_SOURCE].map(
    (path) => `--allow-fs-read=${path}`,
  ),
  "--no-node-snapshot",
  "--wasm-lazy-validation",
  "--v8-pool-size=1",
  // Room for all garbage of loading: collecting it took a tenth of the time.
  "--min-semi-space-size=16",
  "--max-semi-space-size=16",
  "--no-opt",
  "--no-maglev",
  "--disable-warning=SecurityWarning",
  "--disable-warning=ExperimentalWarning",
];

/** The stages that one process makes for later ones, each from the previous: the interpreter's memory, then its code. */
export type Making = "snapshot" | "code";
/** Descriptors of both. Without the code each process compiles for itself, which takes longer. */
export type ReadyMade = { snapshot: number; code: number | null };
type ChildSettings = { make: Making | null; account: { uid: number; gid: number } | null };

export function childCommand(wrapper: readonly string[], settings: ChildSettings): [string, string[]] {
  const allSettings = {
    ...settings,
    addonFrom: join(PROJECT_ROOT, "package.json"),
    pyodide: PYODIDE,
    outputMaxBytes: CODE_LIMITS.max_output_bytes,
    memoryMaxPages: MEMORY_MAX_PAGES,
    readyModules: READY_MODULES,
  };
  const [command, ...words] = [...wrapper, process.execPath, ...FLAGS, CHILD, JSON.stringify(allSettings)];
  return [command, words];
}
