import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { SYNC_ERROR_MESSAGES, type SyncError } from "#domain/repos/repo.ts";
import { required } from "#domain/required.ts";
import { childEnvironment } from "#platform/processes/child-environment.ts";
import { getChildPipe } from "#platform/processes/child-pipe.ts";
import { readError } from "#platform/read-error.ts";
import { sendFilter } from "#worker/isolation/methods.ts";
import { GIT_FILTER_FD, type GitIsolation, LOCAL_REMOTES_CONFIG, toGitConfinement } from "./git-isolation.ts";

/**
 * Runs git with fixed arguments, only the environment given here, and nothing that a repository or this machine's configuration
 * could make it run: no hooks, helpers, prompts, other protocols, redirects or submodules.
 */
type GitCall = {
  cwd: string;
  args: readonly string[];
  /** Passed in the environment, where other users of this machine cannot see them. */
  settings?: Readonly<Record<string, string>>;
  protocols?: readonly string[];
  input?: string;
  maxOutputBytes?: number;
  timeoutMs: number;
  /** No file that it writes may exceed this. */
  maxFileBytes: number;
  signal: AbortSignal;
  isolation?: GitIsolation | null;
  /** Readable beyond its directory and the machine's programs, if it is isolated. */
  readOnly?: readonly string[];
};

/** A failure of git as a code, because git's own message may quote an address or a name. */
export class GitFault extends Error {
  override name = "GitFault";
  readonly code: SyncError;

  get failureReason(): SyncError {
    return this.code;
  }

  constructor(code: SyncError) {
    super(SYNC_ERROR_MESSAGES[code]);
    this.code = code;
  }
}

export const isTooLarge = (error: unknown) => error instanceof GitFault && error.code === "too_large";

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;
const MESSAGES_MAX_BYTES = 16 * 1024;
const MEMORY_MAX_KIB = 2 * 1024 * 1024;
const BLOCK_BYTES = 512;
const NOT_FOUND = 127;
const LOW_SPEED_SECONDS = 60;

const SETTINGS: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.attributesFile": "/dev/null",
  "core.bigFileThreshold": "8m",
  "core.packedGitLimit": "256m",
  "credential.helper": "",
  "fetch.recurseSubmodules": "false",
  "fetch.writeCommitGraph": "false",
  "gc.auto": "0",
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "1",
  "http.lowSpeedTime": String(LOW_SPEED_SECONDS),
  // git cannot parse this, so it contacts no host. A remote lifts it for its own origin.
  "http.proxy": "://",
  "maintenance.auto": "false",
  "pack.threads": "1",
  "protocol.allow": "never",
  "protocol.version": "2",
  "safe.bareRepository": "all",
  "safe.directory": "*",
  "submodule.recurse": "false",
  "transfer.bundleURI": "false",
  "transfer.fsckObjects": "false",
  "transfer.unpackLimit": "1",
};

function buildEnvironment({ settings = {}, protocols = [] }: GitCall): Record<string, string> {
  const allowed = Object.fromEntries(protocols.map((name) => [`protocol.${name}.allow`, "always"]));
  const settingEntries = Object.entries({ ...SETTINGS, ...allowed, ...settings });
  return {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_ALLOW_PROTOCOL: protocols.join(":") || "none",
    GIT_ASKPASS: "false",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: protocols.includes("file") ? LOCAL_REMOTES_CONFIG : "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PROTOCOL_FROM_USER: "0",
    GIT_SSH_COMMAND: "false",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(settingEntries.length),
    ...Object.fromEntries(
      settingEntries.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
  };
}

/**
 * The shell sets limits that a process can only set for itself, and becomes git; a file over its limit becomes an error message. A
 * background reader waits on a pipe from this process and kills the whole group when the pipe closes, also if the worker dies.
 */
const WITHIN_LIMITS = [
  'trap "" XFSZ',
  "ulimit -c 0",
  'ulimit -f "$1"',
  'ulimit -v "$2" 2>/dev/null',
  'cd -- "$3" || exit',
  "shift 3",
  "(read -r _ <&3; kill -9 0) >/dev/null 2>&1 </dev/null &",
  'exec git "$@" 3<&-',
].join("\n");

function startGit(call: GitCall): ChildProcess {
  const { cwd, args, maxFileBytes, isolation } = call;
  const blocks = String(Math.ceil(maxFileBytes / BLOCK_BYTES));
  const env = buildEnvironment(call);
  const limitedCommand = ["/bin/sh", "-c", WITHIN_LIMITS, "sh", blocks, String(MEMORY_MAX_KIB), cwd, ...args];
  const isolationPrefix = isolation ? buildIsolationArguments(call, isolation, env.PATH ?? "") : [];
  const [command = "", ...words] = [...isolationPrefix, ...limitedCommand];
  const filter = isolation?.method.filter ?? null;
  const child = spawn(command, words, {
    // Under isolation even root may not enter the directory of git's own user.
    cwd: isolation ? "/" : cwd,
    env: childEnvironment(env),
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe", ...(filter ? ["pipe" as const] : [])],
  });
  sendFilter(child, GIT_FILTER_FD, filter);
  return child;
}

/** Gives a network only to calls with a network protocol. */
function buildIsolationArguments(call: GitCall, { method, account }: GitIsolation, path: string): string[] {
  const { cwd, protocols = [], readOnly = [] } = call;
  const network = protocols.some((name) => name.startsWith("http"));
  const localFiles = protocols.includes("file") ? [LOCAL_REMOTES_CONFIG] : [];
  return method.words(
    toGitConfinement({ cwd, network, readOnly: [...readOnly, ...localFiles], path }, account),
  );
}

/** Returns git's output. Throws a GitFault if git failed, took too long or is missing. */
export async function runGit(call: GitCall): Promise<Buffer> {
  call.signal.throwIfAborted();
  const child = startGit(call);
  let reason: unknown = null;
  // Kills the whole group, because git starts helpers for the network.
  const kill = (why: unknown) => {
    reason ??= why;
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const abort = () => kill(call.signal.reason);
  const timer = setTimeout(() => kill(new GitFault("timed_out")), call.timeoutMs);
  call.signal.addEventListener("abort", abort);
  const { maxOutputBytes = OUTPUT_MAX_BYTES } = call;
  const stdin = required(child.stdin, "input of git");
  const stdout = required(child.stdout, "output of git");
  const stderr = required(child.stderr, "error output of git");
  const outputChunks = collectOutput(stdout, maxOutputBytes, () => kill(new GitFault("too_large")));
  const messageChunks = collectLastOutput(stderr, MESSAGES_MAX_BYTES);
  // A git that ends early does not read all input; its exit code reports how it ended.
  for (const pipe of [stdin, getChildPipe(child, 3)]) pipe.on("error", () => {});
  stdin.end(call.input ?? "");
  try {
    const code = await awaitExit(child);
    if (reason) throw reason;
    if (code !== 0) throw toGitFault(code, Buffer.concat(messageChunks).toString("utf8"));
    return Buffer.concat(outputChunks);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", abort);
  }
}

/** Closing the pipe ends the rest of git's group. */
async function awaitExit(child: ChildProcess): Promise<number | null> {
  child.once("exit", () => getChildPipe(child, 3).destroy());
  const [code] = await once(child, "close");
  return code;
}

function collectOutput(stream: Readable, maxBytes: number, onExcess: () => void): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else onExcess();
  });
  return chunks;
}

function collectLastOutput(stream: Readable, maxBytes: number): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes > maxBytes && chunks.length > 1) bytes -= chunks.shift()?.length ?? 0;
  });
  return chunks;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (readError(error).code !== "ESRCH") throw error;
  }
}

/** The meanings of git's messages; the first match wins. LC_ALL keeps them in English. */
const MESSAGES: readonly (readonly [RegExp, SyncError])[] = [
  [/File too large/i, "too_large"],
  [/Out of memory|died of signal 9|malloc failed|mmap failed/i, "too_large"],
  [/Authentication failed|could not read (Username|Password)|terminal prompts disabled/i, "access_denied"],
  [/requested URL returned error: 40[13]/i, "access_denied"],
  [/requested URL returned error: 30\d|redirect/i, "moved"],
  [
    /not found|does not exist|does not appear to be a git repository|returned error: 404/i,
    "remote_not_found",
  ],
  [/Operation too slow|timed out/i, "timed_out"],
  [/certificate/i, "certificate_untrusted"],
  [
    /Could not resolve|Failed to connect|Couldn't connect|Connection (refused|reset)|unable to access/i,
    "unreachable",
  ],
  [/transport '.*' not allowed/i, "address_refused"],
];

function toGitFault(code: number | null, message: string): GitFault {
  if (code === NOT_FOUND && /git: (not found|command not found)|exec: git/.test(message))
    return new GitFault("git_missing");
  return new GitFault(MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? "git_failed");
}
