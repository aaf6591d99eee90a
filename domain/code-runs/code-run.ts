import type { RunFile, WrittenFile } from "#domain/code-runs/run-files.ts";

/** Limits of programs, allowed modules, and the description of how a run ended. */
export const CODE_LIMITS = {
  min_timeout_seconds: 0.1,
  max_timeout_seconds: 30,
  default_timeout_seconds: 5,
  min_memory_mb: 16,
  max_memory_mb: 256,
  default_memory_mb: 128,
  max_code_length_bytes: 51_200,
  max_output_bytes: 102_400,
  max_stdin_bytes: 65_536,
  max_args: 20,
  max_arg_bytes: 4_096,
} as const;

/** Modules that are loaded before every Python program. */
export const PRELOADED_IMPORTS =
  `__future__ abc array ast asyncio base64 binascii bisect calendar cmath collections colorsys
  contextlib contextvars copy csv dataclasses datetime decimal difflib enum fractions functools graphlib hashlib heapq hmac
  html inspect io itertools json keyword logging math numbers operator pprint queue random re secrets statistics string
  struct sys textwrap time timeit traceback types typing unicodedata unittest uuid warnings zlib`.split(
    /\s+/,
  );

const OTHER_IMPORTS =
  `argparse atexit bz2 codecs configparser copyreg dis fnmatch getopt glob gzip ipaddress locale lzma
  optparse pathlib pickle platform plistlib quopri reprlib sched shlex shutil stat stringprep tempfile tokenize tomllib urllib
  weakref xml zipfile`.split(/\s+/);

/** Importing another module fails with an error that names it. This is a convenience; the sandbox gives the security. */
export const ALLOWED_IMPORTS = [...PRELOADED_IMPORTS, ...OTHER_IMPORTS].sort();

export const RUNNABLE_LANGUAGES = ["python", "javascript", "typescript"] as const;
export type RunnableLanguage = (typeof RUNNABLE_LANGUAGES)[number];

export function isRunnable(language: string): language is RunnableLanguage {
  return RUNNABLE_LANGUAGES.some((name) => name === language);
}

export type CodeRunOrder = {
  code: string;
  language: RunnableLanguage;
  timeout: number;
  memory_limit_mb: number;
  stdin: string;
  /** The arguments after the program's name in `sys.argv` or `process.argv`. */
  args: string[];
  name: string;
  /** The files in the same folder, and the paths of those that did not fit. */
  files: RunFile[];
  files_left_out: string[];
};
const LONE_NAMES: Record<RunnableLanguage, string> = {
  python: "main.py",
  javascript: "main.js",
  typescript: "main.ts",
};

/** A program without a stored file and without files beside it. */
export function createLoneProgram(language: RunnableLanguage, name = LONE_NAMES[language]) {
  return { name, files: [], files_left_out: [] };
}
type RunLimits = Pick<CodeRunOrder, "timeout" | "memory_limit_mb"> & { files_left_out?: string[] };

export type CodeRunResult = {
  success: boolean;
  stdout: string;
  stderr: string;
  exit_code: number;
  execution_time_ms: number;
  truncated: boolean;
  /** Memory beyond the interpreter's own; null if the program ended before it was measured. */
  memory_used_mb: number | null;
  error: string | null;
  limits_applied: { timeout: number; memory_limit_mb: number };
  /** Files of the folder that did not fit, and files that the program wrote. Both are absent when empty. */
  files_left_out?: string[];
  files_written?: WrittenFile[];
};

/** The end of a program as the sandbox reports it. */
export type Ending = { exit: number } | "timed_out" | "out_of_memory" | "stopped" | "crashed";

export type RunOutput = {
  stdout: string;
  stderr: string;
  truncated: boolean;
  ms: number;
  grownBytes: number | null;
  written?: WrittenFile[];
};

const MB = 1024 * 1024;
const TIMEOUT_EXIT = 124;
const STOPPED_EXIT = 130;
const MEMORY_EXIT = 137;
const CRASH_EXIT = 139;

type StopReason = Exclude<Ending, { exit: number }>;

/** Reads the reason of a run with an `error` from the exit code that stands for it. */
export function stopReason(exitCode: number): StopReason {
  if (exitCode === TIMEOUT_EXIT) return "timed_out";
  if (exitCode === STOPPED_EXIT) return "stopped";
  return exitCode === MEMORY_EXIT ? "out_of_memory" : "crashed";
}

type RunStatus = "completed" | "failed" | "stopped";

/** A run stopped by its person is not a failure. */
export function toRunStatus({ success, error, exit_code }: EndedRun): RunStatus {
  if (success) return "completed";
  return error !== null && stopReason(exit_code) === "stopped" ? "stopped" : "failed";
}
type EndedRun = Pick<CodeRunResult, "success" | "error" | "exit_code">;

/** Python's error for reading past the end of the input. */
const NO_INPUT = "EOFError: EOF when reading a line";
export const lacksInput = ({ stderr }: { stderr: string }) => stderr.includes(NO_INPUT);

/** Lists the left-out files that the program's errors name. */
export function listMissedFiles({ stderr, files_left_out = [] }: MissedFiles): string[] {
  return files_left_out.filter((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return stderr.includes(name.replace(/\.\w+$/, "") || name);
  });
}
type MissedFiles = Pick<CodeRunResult, "stderr" | "files_left_out">;

export function codeRunResult(order: RunLimits, ending: Ending, output: RunOutput): CodeRunResult {
  const { timeout, memory_limit_mb, files_left_out = [] } = order;
  const { written = [] } = output;
  const [exit_code, error] = describeEnding(ending, order);
  return {
    success: exit_code === 0,
    stdout: output.stdout,
    stderr: output.stderr,
    exit_code,
    execution_time_ms: Math.max(0, Math.round(output.ms)),
    truncated: output.truncated,
    memory_used_mb: output.grownBytes === null ? null : Math.ceil(output.grownBytes / MB),
    error,
    limits_applied: { timeout, memory_limit_mb },
    ...(files_left_out.length > 0 ? { files_left_out } : {}),
    ...(written.length > 0 ? { files_written: written } : {}),
  };
}

function describeEnding(ending: Ending, { timeout, memory_limit_mb }: RunLimits) {
  const stops: Record<StopReason, readonly [number, string]> = {
    timed_out: [TIMEOUT_EXIT, `Timed out after ${timeout} s`],
    out_of_memory: [MEMORY_EXIT, `Memory limit of ${memory_limit_mb} MB exceeded`],
    stopped: [STOPPED_EXIT, "Stopped"],
    crashed: [CRASH_EXIT, "The program's process stopped unexpectedly"],
  };
  return typeof ending === "string" ? stops[ending] : ([ending.exit, null] as const);
}

/** Decodes output. Invalid UTF-8 is replaced, and a character that the limit cut is dropped. */
export function decodeOutput(bytes: Uint8Array, truncated: boolean): string {
  return new TextDecoder().decode(truncated ? bytes.subarray(0, countWholeBytes(bytes)) : bytes);
}

function countWholeBytes(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const lead = bytes[start];
  if (lead === undefined) return 0;
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - start < size ? start : bytes.length;
}
