#!/usr/bin/env node
// @ts-check
/**
 * The command line of Codeshelf: one file that needs nothing but Node 20 or newer, so that it can be copied anywhere. The server
 * sends this very file at /codeshelf.mjs.
 *
 * Names that come from a server are not trusted: they are checked before anything is written under them, and control characters
 * are never sent to a terminal. A file is written beside its place and then renamed, so that it is whole or as it was.
 */
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { fstatSync, rmSync, watch as watchFiles } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
} from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

const VERSION = "0.1.0";
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const PARALLEL_REQUESTS = 4;
/** The most that one request with files may hold. */
const BATCH_FILES = 200;
const BATCH_BYTES = 16 * 1024 * 1024;
/** While one is answered, the next is filled. */
const BATCHES_AT_ONCE = 2;
/** Files that are read and sent at once, and how much of them is held in memory. */
const PARALLEL_UPLOADS = 2 * BATCH_FILES;
const HELD_BYTES = 2 * BATCH_BYTES;
const REMARK_EVERY_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const RUN_TIMEOUT_MS = 180_000;
const RUN_INPUT_MAX_BYTES = 64 * 1024;
const RUN_LIMITS = { timeout: { usual: 5, most: 30 }, memory: { usual: 128, most: 256 } };
// Both outputs of a program at their longest, each character written in six.
const EVENT_MAX_LENGTH = 2 * 1024 * 1024;

const EXIT = { ok: 0, failed: 1, usage: 2, notLoggedIn: 3, network: 4, interrupted: 130 };

/** What ends a command: the exit code, a code for programs and a sentence for people. */
class Failure extends Error {
  /** @param {number} exitCode @param {string} code @param {string} message @param {object} [context] */
  constructor(exitCode, code, message, context = {}) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.context = context;
  }
}

/** How this program was started, for sentences that say what to type next. */
function describeStart() {
  const program = process.argv[1] ?? "codeshelf";
  if (basename(dirname(program)) === ".bin") return "npx codeshelf";
  if (!program.endsWith(".mjs")) return basename(program);
  const near = relative(process.cwd(), program);
  const path = near.startsWith("..") ? program : near;
  return `node ${/[\s"'$]/.test(path) ? JSON.stringify(path) : path}`;
}

/** @param {string} message */
const usageFailure = (message) => new Failure(EXIT.usage, "usage", message);
/** @param {string} code @param {string} message @param {object} [context] */
const failure = (code, message, context) => new Failure(EXIT.failed, code, message, context);
/** @param {unknown} error */
const messageFrom = (error) => (error instanceof Error ? error.message : String(error));
/** @param {unknown} error @param {string} code */
const hasCode = (error, code) => error instanceof Error && "code" in error && error.code === code;

// ---- What is printed

/** @param {string} char */
const escapeCharacter = (char) =>
  char.charCodeAt(0) < 0x100
    ? `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`
    : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A name on one line, with everything that could steer a terminal or turn the text around made visible. @param {string} text */
const cleanName = (text) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, escapeCharacter);

/** Text of several lines for a terminal. Colours are kept, all else that steers it is made visible. @param {string} text */
const cleanText = (text) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  text.replace(/\x1b\[[\d;]*m|\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (found) =>
    found.length > 1 ? found : escapeCharacter(found),
  );

/** As JSON, on one line; what JSON leaves raw and a terminal obeys is escaped. @param {unknown} value */
const toJsonLine = (value) =>
  JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const COLOURS = { red: 31, green: 32, yellow: 33, blue: 34, grey: 90, bold: 1 };

/** @param {NodeJS.WriteStream} stream */
function hasColours(stream) {
  return Boolean(stream.isTTY) && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}

/** @param {keyof typeof COLOURS} colour @param {string} text @param {NodeJS.WriteStream} [stream] */
const paint = (colour, text, stream = process.stdout) =>
  hasColours(stream) ? `\x1b[${COLOURS[colour]}m${text}\x1b[0m` : text;

/** What a command prints: lines for people, or with --json one value for programs. */
class Output {
  /** @param {boolean} json */
  constructor(json) {
    this.json = json;
    this.hasProgress = false;
    this.remarkedAt = Date.now();
  }

  /** A line for people; nothing where JSON was asked for. @param {string} text */
  line(text) {
    this.clearProgress();
    if (!this.json) process.stdout.write(`${text}\n`);
  }

  /** The one answer for programs. @param {unknown} value */
  value(value) {
    this.clearProgress();
    if (this.json) process.stdout.write(`${toJsonLine(value)}\n`);
  }

  /** A remark that is not the answer. @param {string} text */
  remark(text) {
    this.clearProgress();
    process.stderr.write(`${text}\n`);
  }

  /** How far it is: on the last line of a terminal, elsewhere in a line every ten seconds. @param {string} text */
  progress(text) {
    if (!process.stderr.isTTY) {
      if (Date.now() - this.remarkedAt < REMARK_EVERY_MS) return;
      this.remarkedAt = Date.now();
      process.stderr.write(`${cleanName(text)}\n`);
      return;
    }
    const room = Math.max(20, (process.stderr.columns || 80) - 1);
    process.stderr.write(`\r\x1b[K${[...cleanName(text)].slice(0, room).join("")}`);
    this.hasProgress = true;
  }

  clearProgress() {
    if (this.hasProgress) process.stderr.write("\r\x1b[K");
    this.hasProgress = false;
  }
}

/** @param {number} count @param {string} noun */
const formatCount = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// ---- Who is logged in, and where

/** @typedef {{ address: string, token: string, output: Output }} Session */

const configFile = () =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "codeshelf", "config.json");

/** @returns {Promise<{ address?: string, token?: string }>} */
async function readConfig() {
  try {
    const config = JSON.parse(await readFile(configFile(), "utf8"));
    return typeof config === "object" && config !== null ? config : {};
  } catch (error) {
    if (hasCode(error, "ENOENT")) return {};
    throw failure("config_unreadable", `${configFile()} cannot be read: ${messageFrom(error)}`);
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The origin of an address as people type it. @param {string} typed */
function parseAddress(typed) {
  const isBare = !/^[a-z][a-z\d+.-]*:\/\//i.test(typed);
  const isLocal = /^(localhost|127\.|\[::1\])/i.test(typed);
  const whole = isBare ? `${isLocal ? "http" : "https"}://${typed}` : typed;
  if (!URL.canParse(whole)) throw usageFailure(`“${cleanName(typed)}” is not an address.`);
  const { origin, protocol, pathname, search, username } = new URL(whole);
  if (protocol !== "https:" && protocol !== "http:") throw usageFailure("The address begins with https://");
  if (pathname !== "/" || search !== "" || username !== "")
    throw usageFailure("Give the address of the server alone, such as https://shelf.example.com");
  return origin;
}

/** The stored login; CODESHELF_ADDRESS and CODESHELF_TOKEN win. @param {Output} output @returns {Promise<Session>} */
async function openSession(output) {
  const config = await readConfig();
  const given = process.env.CODESHELF_ADDRESS;
  const address = given ? parseAddress(given) : config.address;
  // A stored token goes to the server that it was stored for and to no other.
  const stored = address === config.address ? config.token : undefined;
  const token = process.env.CODESHELF_TOKEN || stored;
  if (!address || !token)
    throw new Failure(
      EXIT.notLoggedIn,
      "not_logged_in",
      `You are not logged in. Run: ${describeStart()} login ${address ?? "<address>"}`,
    );
  return { address, token, output };
}

/** What somebody types or pipes in, without showing it. @param {string} prompt */
async function readSecret(prompt) {
  if (!process.stdin.isTTY) {
    const chunks = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8").split("\n")[0]?.trim() ?? "";
  }
  // What is typed right after the question is not shown either.
  process.stdin.setRawMode(true);
  process.stderr.write(prompt);
  try {
    return (await readHiddenLine()).trim();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write("\n");
  }
}

/** @returns {Promise<string>} */
function readHiddenLine() {
  let typed = "";
  return new Promise((done, fail) => {
    /** @param {Buffer} chunk */
    const take = (chunk) => {
      for (const char of chunk.toString("utf8")) {
        if (char === "\r" || char === "\n" || char === "\x04") {
          process.stdin.off("data", take);
          return done(typed);
        }
        if (char === "\x03") return fail(new Failure(EXIT.interrupted, "interrupted", "Interrupted."));
        if (char === "\x7f" || char === "\b") typed = [...typed].slice(0, -1).join("");
        else typed += char;
      }
    };
    process.stdin.on("data", take);
  });
}

// ---- Requests

/**
 * @typedef {{
 *   query?: Record<string, string | undefined>, body?: Uint8Array | FormData, json?: unknown, headers?: Record<string, string>,
 *   allow?: number[], timeoutMs?: number, isRepeatable?: boolean }} RequestOptions
 * @typedef {{ error?: string, code?: string, message?: string, [context: string]: unknown }} RefusalBody
 */

const BUSY_ATTEMPTS = 4;
const LIMITED_ATTEMPTS = 10;
const LOST_ATTEMPTS = 3;
const WAIT_MAX_SECONDS = 120;
/** Asking again changes nothing about these. */
const LASTING_REFUSALS = ["execution_disabled", "push_not_configured", "codehost_not_configured"];

/** @param {string} path */
const encodePath = (path) => path.split("/").map(encodeURIComponent).join("/");

/**
 * One request. It is sent again where the server is busy or has had too many, and where a connection is lost before the answer of
 * a request that can be repeated. A refusal is thrown with the server's message, unless its status is allowed.
 * @param {Session} session @param {string} method @param {string} path @param {RequestOptions} [options]
 */
async function send(session, method, path, options = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sendOnce(session, method, path, options, attempt);
    if (!response) continue;
    if (response.ok || options.allow?.includes(response.status)) return response;
    const refusal = await readRefusal(response);
    const seconds = findDelay(response, refusal, attempt);
    if (seconds === null) throw toFailure(session, response, refusal);
    if (seconds >= 1) session.output.progress(`The server is busy; trying again in ${Math.ceil(seconds)} s`);
    await pause(seconds * 1000);
  }
}

/**
 * Null where the connection was lost and the request is to be sent again.
 * @param {Session} session @param {string} method @param {string} path @param {RequestOptions} options @param {number} attempt
 */
async function sendOnce(session, method, path, options, attempt) {
  const url = new URL(session.address + path);
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  try {
    return await fetch(url, {
      method,
      body: /** @type {BodyInit | undefined} */ (body),
      redirect: "manual",
      signal: AbortSignal.timeout(options.timeoutMs ?? REQUEST_TIMEOUT_MS),
      headers: {
        Accept: "application/json, text/plain",
        Authorization: `Bearer ${session.token}`,
        "User-Agent": `codeshelf/${VERSION}`,
        ...(options.json === undefined ? {} : { "Content-Type": "application/json" }),
        ...options.headers,
      },
    });
  } catch (error) {
    const cause = findCause(error);
    const isLasting = /ENOTFOUND|ECONNREFUSED|CERT|TimeoutError/.test(cause.code);
    const isRepeatable = options.isRepeatable ?? method !== "POST";
    if (!isRepeatable || isLasting || attempt >= LOST_ATTEMPTS)
      throw new Failure(EXIT.network, "network", `${session.address} cannot be reached: ${cause.message}`);
    await pause(250 * 2 ** attempt);
    return null;
  }
}

/** @param {unknown} error */
function findCause(error) {
  const outer = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const inner = outer instanceof AggregateError ? outer.errors[0] : outer;
  const named = /** @type {{ code?: unknown, name?: unknown, message?: unknown }} */ (inner);
  return { code: String(named.code ?? named.name), message: cleanName(String(named.message || named.code)) };
}

/** @param {Response} response @returns {Promise<RefusalBody>} */
async function readRefusal(response) {
  try {
    const body = JSON.parse(await response.text());
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Seconds until a refused request is worth sending again; null where it is not. @param {Response} response @param {RefusalBody} refusal @param {number} attempt */
function findDelay({ status, headers }, refusal, attempt) {
  if (status !== 429 && status !== 503) return null;
  if (LASTING_REFUSALS.includes(String(refusal.code))) return null;
  if (attempt >= (status === 429 ? LIMITED_ATTEMPTS : BUSY_ATTEMPTS)) return null;
  const told = headers.get("Retry-After");
  const seconds = told !== null && /^\d{1,6}$/.test(told) ? Number(told) : 2 ** (attempt - 2);
  // Those who were refused together do not come back together.
  return seconds > WAIT_MAX_SECONDS ? null : seconds + Math.random() * 0.25;
}

/** @param {Session} session @param {Response | Uploaded} response @param {RefusalBody} refusal */
function toFailure(session, response, refusal) {
  const { error, code, message, ...context } = refusal;
  if (response.status === 401)
    return new Failure(
      EXIT.notLoggedIn,
      String(code ?? "auth_required"),
      `${session.address} does not accept the token. It may have expired. Run: ${describeStart()} login ${session.address}`,
    );
  if (response instanceof Response && response.status >= 300 && response.status < 400) {
    const to = response.headers.get("Location") ?? "another address";
    return failure("redirected", `${session.address} redirects to ${cleanName(to)}. Log in there.`);
  }
  const said = message ?? error;
  if (typeof said !== "string")
    return failure(
      "unexpected_answer",
      `${session.address} answered ${response.status} and gave no reason. Is it Codeshelf?`,
    );
  return failure(String(code ?? error), cleanName(said), { ...context, status: response.status });
}

/**
 * @param {Session} session @param {string} method @param {string} path @param {RequestOptions} [options]
 * @returns {Promise<any>}
 */
async function sendForJson(session, method, path, options) {
  const response = await send(session, method, path, options);
  return parseAnswer(session, await response.text().catch(() => ""));
}

/** @param {Session} session @param {string} text @returns {any} */
function parseAnswer(session, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(session);
  }
}

/** @param {Session} session */
const unexpectedAnswer = ({ address }) =>
  failure("unexpected_answer", `${address} answered with something else than JSON. Is it Codeshelf?`);

/**
 * @typedef {{ id: string, path: string, version: number, size_bytes: number, updated_at: string, etag: string }} RemoteFile
 * @typedef {{ id: string, path: string, name: string }} RemoteFolder
 * @typedef {{ folder_id: string | null, folders: RemoteFolder[], files: RemoteFile[] }} Contents
 */

/** What is in a folder of the library; null where there is no such folder. @param {Session} session @param {string} path @param {{ deep: boolean }} options @returns {Promise<Contents | null>} */
async function listContents(session, path, { deep }) {
  /** @type {Contents} */
  const all = { folder_id: null, folders: [], files: [] };
  /** @type {string | undefined} */
  let cursor;
  do {
    const query = { path, deep: deep ? "1" : "0", cursor };
    const response = await send(session, "GET", "/api/tree", { query, allow: [404] });
    const page = await response.json();
    if (response.status === 404) {
      if (page.code === "folder_not_found") return null;
      throw toFailure(session, response, page);
    }
    all.folder_id = page.folder_id;
    all.folders.push(...page.folders);
    all.files.push(...page.files);
    cursor = page.next_cursor ?? undefined;
    session.output.progress(`Listing: ${formatCount(all.files.length, "file")}`);
  } while (cursor);
  return all;
}

/** @param {unknown} error @returns {never} */
function throwLost(error) {
  throw new Failure(EXIT.network, "network", `The connection was lost: ${findCause(error).message}`);
}

/** The text of a file and the version it is. @param {Response} response */
async function readText(response) {
  const bytes = new Uint8Array(await response.arrayBuffer().catch(throwLost));
  const version = Number(response.headers.get("X-File-Version"));
  return { bytes, version, id: response.headers.get("X-File-Id") ?? "" };
}

/** @param {Session} session @param {string} id */
const downloadById = async (session, id) =>
  readText(await send(session, "GET", `/api/file/${encodeURIComponent(id)}/content`));

/** Null where there is no such file. @param {Session} session @param {string} path @param {"GET" | "HEAD"} [method] */
async function downloadByPath(session, path, method = "GET") {
  if (path === "") return null;
  const response = await send(session, method, `/api/files/${encodePath(path)}`, { allow: [404] });
  if (response.ok) return readText(response);
  await response.body?.cancel();
  return null;
}

/** Does the same for each item, a few at a time. @template T @param {readonly T[]} items @param {(item: T, index: number) => Promise<void>} act @param {number} [count] */
async function forEachInParallel(items, act, count = PARALLEL_REQUESTS) {
  const left = [...items.entries()];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await act(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: count }, work));
}

/**
 * Works on several files at a time and prints what became of each in the order of the files.
 * @template {{ path: string }} T @param {Output} output @param {readonly T[]} files
 * @param {(file: T) => Promise<Result>} act @param {{ toPrinted?: (result: Result, file: T) => Result, isShown?: (result: Result) => boolean, count?: number }} [options]
 */
async function reportEach(
  output,
  files,
  act,
  { toPrinted = (result) => result, isShown = () => true, count } = {},
) {
  /** @type {Result[]} */
  const results = [];
  let done = 0;
  let printed = 0;
  const report = async (/** @type {T} */ file, /** @type {number} */ index) => {
    results[index] = await act(file);
    done += 1;
    output.progress(`${done}/${files.length} ${file.path}`);
    for (let next = results[printed]; next; next = results[printed]) {
      if (isShown(next)) output.line(describeResult(toPrinted(next, /** @type {T} */ (files[printed]))));
      printed += 1;
    }
  };
  await forEachInParallel(files, report, count);
  return results;
}

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** As people sort names: whatever the case, and numbers by their value. @param {{ path: string }} a @param {{ path: string }} b */
const byPath = (a, b) => NAMES.compare(a.path, b.path) || (a.path < b.path ? -1 : 1);

// ---- Paths and files on this machine

/** A path within the library as people type it, without slashes at the ends. @param {string} typed */
function parseLibraryPath(typed) {
  const names = typed.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw usageFailure(`“${cleanName(typed)}”: a path in the library has no “..”.`);
  return names.join("/");
}

const WINDOWS_NAME = /[<>:"|?*]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Folders of version control systems, by all names that some file system takes for theirs: their next command runs what is in them. */
const REPOSITORY = /^(\.git|git~\d+|\.hg|\.svn|\.bzr|\.jj)[. ]*(:.*)?$/i;
/** HFS+ ignores these in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Files that shells, editors and tools run or obey by themselves once they are in a folder. */
const RUNS_BY_ITSELF = new RegExp(
  `(^|/)(${[
    String.raw`\.envrc|HEAD|\.?mise\.toml|\.tool-versions|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|autorun\.inf|desktop\.ini`,
    String.raw`\.((ba|z|k|c|tc)shrc|bash_(profile|login|logout)|z?(profile|login|logout)|zshenv)`,
    String.raw`\.?n?(vim|ex)rc|\.nvim\.lua|\.dir-locals\.el|\.emacs(\.el)?|\.gdbinit|\.lldbinit|\.screenrc|\.tmux\.conf|\.gitconfig|\.hgrc|\.gitmodules`,
    String.raw`(site|user)customize\.py|[^/]+\.pth`,
    String.raw`\.?(git)?-?hooks/[^/]+|\.(husky|vscode|idea|devcontainer|ssh|vim|emacs\.d)/.+`,
  ].join("|")})$`,
  "i",
);
const RUNNING = "tools run or obey this file by themselves; --force writes it";

/** Why a path that a server sent is not written to on this machine; null where it may be. @param {string} path */
function findDanger(path) {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "the path leaves the folder";
  if (path.includes("\\") || /^[a-z]:/i.test(path)) return "the path leaves the folder";
  if (cleanName(path) !== path) return "the name has control characters";
  if (names.some((name) => REPOSITORY.test(name.replace(IGNORED, ""))))
    return "it would be in the folder of a version control system";
  if (process.platform === "win32" && names.some((name) => WINDOWS_NAME.test(name)))
    return "Windows does not allow the name";
  return null;
}

const STATE_NAME = ".codeshelf-sync.json";
const TEMPORARY = /^\.codeshelf-[0-9a-f]{12}\.tmp$/;
const LOCK_NAME = ".codeshelf-sync.lock";
const JUNK_FOLDERS = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".mypy_cache", ".pytest_cache"],
  ...[".ruff_cache", ".tox", ".nox", ".Trash", ".Spotlight-V100", ".fseventsd", "$RECYCLE.BIN"],
]);
const JUNK_FILE = /^(\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|\.#.*|#.*#|.*~|~\$.*|.*\.sw[a-p]|.*\.py[co])$/i;
const OWN_FILE = new Set([STATE_NAME, LOCK_NAME]);
const SECRET_FILE =
  /^(\.env(?![a-z0-9])(?!\.(example|sample|template|dist)$).*|id_(rsa|dsa|ecdsa|ed25519)(?!.*\.pub$).*|(.*\.(pem|key|p12|pfx|jks|keystore|ppk)|\.envrc|[._]netrc|\.(pgpass|pypirc|git-credentials|htpasswd))(~|\.(bak|backup|old|orig|save|swp|\d+)| \(\d+\)|( -)? copy( \d+)?)*)$/is;
const MAY_HOLD_SECRETS = "may hold secrets; push it by its name to save it";

/** Whether a file is one that keys and passwords are usually kept in. @param {string} path */
const isSecret = (path) => SECRET_FILE.test(path.slice(path.lastIndexOf("/") + 1));

/** Whether a path is of what systems and tools leave behind, and not somebody's work. @param {string} path */
function isJunk(path) {
  const names = path.split("/");
  const name = names.pop() ?? "";
  return (
    JUNK_FILE.test(name) ||
    OWN_FILE.has(name) ||
    TEMPORARY.test(name) ||
    names.some((folder) => JUNK_FOLDERS.has(folder))
  );
}

// ---- Files that a project leaves out

const IGNORE_FILES = [".gitignore", ".codeshelfignore"];
const IGNORED_REASON = "left out by an ignore file";
/** More of such a file is not read. */
const IGNORE_MAX_BYTES = 256 * 1024;

/** @typedef {{ names: string[], isNegated: boolean, isFolder: boolean }} IgnoreRule */

/** The patterns of an ignore file, as git reads them. @param {string} text @returns {IgnoreRule[]} */
function parseIgnoreRules(text) {
  return text.split(/\r?\n/).flatMap((line) => {
    const typed = line.replace(/(?<!\\)[ \t]+$/, "");
    if (typed === "" || typed.startsWith("#")) return [];
    const isNegated = typed.startsWith("!");
    const pattern = isNegated ? typed.slice(1) : typed;
    const isFolder = pattern.endsWith("/");
    const whole = isFolder ? pattern.slice(0, -1) : pattern;
    const names = whole.replace(/^\//, "").split("/");
    if (names.some((name) => name === "")) return [];
    return [{ names: whole.includes("/") ? names : ["**", ...names], isNegated, isFolder }];
  });
}

/** Tells whether the names of a path match those of a pattern, in which `**` stands for any number. @param {readonly string[]} pattern @param {readonly string[]} names */
function matchesPath(pattern, names) {
  // After each part of the pattern: how many names may be used up.
  let ends = new Set([0]);
  for (const [index, part] of pattern.entries()) {
    const isLast = index === pattern.length - 1;
    if (part === "**") {
      const first = Math.min(...ends) + (isLast ? 1 : 0);
      ends = new Set(Array.from({ length: Math.max(0, names.length + 1 - first) }, (_, i) => first + i));
    } else
      ends = new Set(
        [...ends].filter((position) => matchesName(part, names[position])).map((position) => position + 1),
      );
    if (ends.size === 0) return false;
  }
  return ends.has(names.length);
}

/** One name with `*`, `?`, `[…]` and `\\`. What a star stands for grows only where the rest does not match, so this ends soon. @param {string} pattern @param {string | undefined} name */
function matchesName(pattern, name) {
  if (name === undefined) return false;
  const parts = pattern.match(/\\.|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];
  const characters = [...name];
  let [part, position, star, starPosition] = [0, 0, -1, 0];
  while (position < characters.length) {
    if (parts[part] === "*") [star, starPosition, part] = [part, position, part + 1];
    else if (part < parts.length && matchesCharacter(parts[part] ?? "", characters[position] ?? ""))
      [part, position] = [part + 1, position + 1];
    else if (star >= 0) [part, starPosition, position] = [star + 1, starPosition + 1, starPosition + 1];
    else return false;
  }
  return parts.slice(part).every((rest) => rest === "*");
}

/** @param {string} part @param {string} character */
function matchesCharacter(part, character) {
  if (part === "?") return true;
  if (part.startsWith("\\") && part.length > 1) return part.slice(1) === character;
  if (!part.startsWith("[") || part.length < 3) return part === character;
  const isNegated = /^\[[!^]/.test(part);
  const [...set] = part.slice(isNegated ? 2 : 1, -1);
  let isIn = false;
  for (let position = 0; position < set.length; position += 1) {
    const [from = "", dash, to] = set.slice(position, position + 3);
    const isRange = dash === "-" && to !== undefined;
    isIn ||= isRange ? from <= character && character <= to : from === character;
    if (isRange) position += 2;
  }
  return isIn !== isNegated;
}

/** The rules of the ignore files of a folder, of those below it and of those above it in its repository. */
class Ignored {
  /** The rules of each folder that was read, by its path from the root; those above it have paths of dots. @type {Map<string, IgnoreRule[]>} */
  #rules = new Map();
  /** How the root is called from each folder above it. @type {[rules: IgnoreRule[], prefix: string[]][]} */
  #above = [];

  /** @param {string} root */
  static async open(root) {
    const ignored = new Ignored();
    const names = [];
    for (let folder = resolve(root); dirname(folder) !== folder; folder = dirname(folder)) {
      if (folder !== resolve(root)) ignored.#above.unshift([await readIgnoreFiles(folder), [...names]]);
      if (await statOrNull(join(folder, ".git"))) return ignored;
      names.unshift(basename(folder));
    }
    // In no repository, what is above says nothing.
    ignored.#above = [];
    return ignored;
  }

  /** @param {string} root @param {string} inside */
  async read(root, inside) {
    const rules = await readIgnoreFiles(join(root, inside));
    if (rules.length > 0) this.#rules.set(inside, rules);
  }

  /** Tells whether a file or folder is left out, if the folder around it is not. @param {string} path @param {boolean} isFolder */
  has(path, isFolder) {
    const names = path.split("/");
    const applied = [
      ...this.#above.map(([rules, prefix]) => ({ rules, seen: [...prefix, ...names] })),
      ...names.map((_, depth) => ({
        rules: this.#rules.get(names.slice(0, depth).join("/")) ?? [],
        seen: names.slice(depth),
      })),
    ];
    let isOut = false;
    for (const { rules, seen } of applied)
      for (const rule of rules)
        if (rule.isNegated === isOut && (isFolder || !rule.isFolder) && matchesPath(rule.names, seen))
          isOut = !rule.isNegated;
    return isOut;
  }

  /** Tells whether a file, or a folder that it is in, is left out. @param {string} path */
  covers(path) {
    const names = path.split("/");
    return names.some((_, depth) => this.has(names.slice(0, depth + 1).join("/"), depth < names.length - 1));
  }
}

/** @param {string} folder @returns {Promise<IgnoreRule[]>} */
async function readIgnoreFiles(folder) {
  const texts = IGNORE_FILES.map((name) => readFile(join(folder, name)).catch(() => Buffer.alloc(0)));
  const rules = (await Promise.all(texts)).map((bytes) =>
    parseIgnoreRules(
      bytes
        .subarray(0, IGNORE_MAX_BYTES)
        .toString("utf8")
        .replace(/^\ufeff/, ""),
    ),
  );
  return rules.flat();
}

const TOO_LARGE = "larger than 2 MiB";

/** Why bytes are not kept in the library; null where they are text of a size it takes. @param {Uint8Array} bytes */
function findUnfit(bytes) {
  if (bytes.length > MAX_FILE_BYTES) return TOO_LARGE;
  if (bytes.includes(0)) return "binary";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return null;
  } catch {
    return "not UTF-8 text";
  }
}

/**
 * @typedef {{ path: string, file: string, size: number, stamp: string }} LocalFile
 * @typedef {{ path: string, reason: string, isRefused?: boolean }} Skipped
 */

/** What tells that a file was written to since. @param {import("node:fs").Stats} stats */
const toStamp = ({ size, mtimeMs, ctimeMs, ino }) => `${size}.${mtimeMs}.${ctimeMs}.${ino}`;

/**
 * The files below a folder with their paths from it; junk, what is ignored and what is no file aside.
 * @param {string} root @param {Ignored | null} ignored @param {string} [inside]
 * @returns {Promise<{ files: LocalFile[], skipped: Skipped[] }>}
 */
async function walk(root, ignored, inside = "") {
  /** @type {{ files: LocalFile[], skipped: Skipped[] }} */
  const found = { files: [], skipped: [] };
  await ignored?.read(root, inside);
  const entries = await readdir(join(root, inside), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (isJunk(entry.isDirectory() ? `${path}/x` : path)) {
      if (!OWN_FILE.has(entry.name) && !TEMPORARY.test(entry.name))
        found.skipped.push({ path, reason: "left behind by a tool" });
    } else if (entry.name.includes("\ufffd") && !(await statOrNull(join(root, path)))) {
      found.skipped.push({ path, reason: "its name is not UTF-8", isRefused: true });
    } else if (ignored?.has(path, entry.isDirectory())) {
      found.skipped.push({ path, reason: IGNORED_REASON });
    } else if (entry.isDirectory()) {
      const below = await walk(root, ignored, path);
      found.files.push(...below.files);
      found.skipped.push(...below.skipped);
    } else if (entry.isFile()) {
      const stats = await statOrNull(join(root, path));
      if (stats) found.files.push({ path, file: join(root, path), size: stats.size, stamp: toStamp(stats) });
    } else {
      found.skipped.push({ path, reason: entry.isSymbolicLink() ? "a symbolic link" : "not a file" });
    }
  }
  return found;
}

/** The thing itself where it is a link; null where there is nothing. @param {string} path */
async function statOrNull(path) {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/** Files that are being written; an interruption removes them. @type {Set<string>} */
const temporaryFiles = new Set();

/**
 * Writes a file in one step: whoever looks sees the old one or the new one. `isReady` is asked last before it takes its place.
 * @param {string} file @param {Uint8Array | string} content @param {{ mode?: number, isReady?: () => Promise<boolean> }} [options]
 */
async function writeWhole(file, content, { mode, isReady } = {}) {
  const temporary = join(dirname(file), `.codeshelf-${randomBytes(6).toString("hex")}.tmp`);
  temporaryFiles.add(temporary);
  try {
    const handle = await open(temporary, "wx", mode ?? 0o666);
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isReady && !(await isReady())) return false;
    await rename(temporary, file);
    return true;
  } finally {
    await rm(temporary, { force: true });
    temporaryFiles.delete(temporary);
  }
}

/** Makes the folders of a path below a root, and goes through no link. @param {string} root @param {string} path */
async function makeParents(root, path) {
  await mkdir(root, { recursive: true });
  let folder = root;
  for (const name of path.split("/").slice(0, -1)) {
    folder = join(folder, name);
    const there = await statOrNull(folder);
    if (!there) await mkdir(folder).catch(ignoreExisting);
    else if (there.isSymbolicLink()) throw failure("unsafe_path", "the path goes through a symbolic link");
    else if (!there.isDirectory()) throw failure("in_the_way", "a file is where a folder has to be");
  }
}

/** @param {unknown} error */
function ignoreExisting(error) {
  if (!hasCode(error, "EEXIST")) throw error;
}

/** @param {string} path @param {{ force: boolean }} options */
function requireForce(path, { force }) {
  if (!force && RUNS_BY_ITSELF.test(path)) throw failure("unsafe_path", RUNNING);
}

/** Where a path of the library is written below a root; it never leaves the root. @param {string} root @param {string} path */
async function prepareTarget(root, path) {
  const danger = findDanger(path);
  if (danger) throw failure("unsafe_path", danger);
  await makeParents(root, path);
  const target = join(root, ...path.split("/"));
  const there = await statOrNull(target);
  if (there?.isSymbolicLink()) throw failure("unsafe_path", "a symbolic link is in its place");
  if (there && !there.isFile()) throw failure("in_the_way", "a folder is in its place");
  return { target, stats: there };
}

/** A file that is replaced stays executable where it was. @param {import("node:fs").Stats | null} stats */
const keepMode = (stats) => (stats ? stats.mode & 0o777 : undefined);

/** @param {Uint8Array} bytes */
const hashBytes = (bytes) => createHash("sha256").update(bytes).digest("hex");

// ---- What push and pull had last

/**
 * What a file had in common with the library after push or pull. The first sync of a folder has no state of its own yet and starts
 * from these. They are a help and no more: without one, a file that differs is kept on both sides.
 *
 * @typedef {{ file: string, address: string, id: string, version: number, hash: string }} Transfer
 */

const TRANSFERS_KEPT = 10_000;
const transfersFile = () => join(dirname(configFile()), "transfers.json");

/** The newest transfer of each file of this machine. @param {string} address @returns {Promise<Map<string, Transfer>>} */
async function readTransfers(address) {
  const all = await readAllTransfers();
  return new Map(all.filter((transfer) => transfer.address === address).map((one) => [one.file, one]));
}

/** None where the file is missing or damaged. @returns {Promise<Transfer[]>} */
async function readAllTransfers() {
  try {
    const { files } = JSON.parse(await readFile(transfersFile(), "utf8"));
    return Array.isArray(files) ? files : [];
  } catch {
    return [];
  }
}

/** A machine without a place to remember them does without. @param {Transfer[]} done */
async function rememberTransfers(done) {
  if (done.length === 0) return;
  const before = new Map((await readAllTransfers()).map((one) => [`${one.address} ${one.file}`, one]));
  for (const one of done) {
    // The newest stand last.
    before.delete(`${one.address} ${one.file}`);
    before.set(`${one.address} ${one.file}`, one);
  }
  const files = [...before.values()].slice(-TRANSFERS_KEPT);
  try {
    await mkdir(dirname(transfersFile()), { recursive: true, mode: 0o700 });
    await writeWhole(transfersFile(), `${JSON.stringify({ files })}\n`, { mode: 0o600 });
  } catch {}
}

/** @param {Session} session @param {string} file @param {{ id: string, version: number }} text @param {Uint8Array} bytes @returns {Transfer} */
const toTransfer = ({ address }, file, { id, version }, bytes) => ({
  ...{ file: resolve(file), address, id, version },
  hash: hashBytes(bytes),
});

// ---- Commands

/**
 * @typedef {Record<string, string | boolean | undefined>} OptionValues
 * @typedef {{ output: Output, words: string[], options: OptionValues }} Call
 * @typedef {{ path: string, status: string, version?: number, reason?: string, to?: string }} Result
 */

/** @param {Call} call */
async function login({ output, words }) {
  const address = parseAddress(words[0] ?? "");
  const { protocol, hostname } = new URL(address);
  if (protocol === "http:" && !LOOPBACK.test(hostname))
    output.remark(
      paint("yellow", `${address} is not encrypted: others on the way can read the token.`, process.stderr),
    );
  if (!process.env.CODESHELF_TOKEN && process.stdin.isTTY)
    output.remark(`Create a token at ${address}/settings/tokens and paste it here.`);
  const token = process.env.CODESHELF_TOKEN || (await readSecret("Token: "));
  if (!/^[\x21-\x7e]{8,500}$/.test(token)) throw usageFailure("This is not a token.");
  const me = await sendForJson({ address, token, output }, "GET", "/api/me");
  if (typeof me?.authenticated !== "boolean")
    throw failure("unexpected_answer", `${address} does not answer as Codeshelf does.`);
  if (!me.authenticated)
    throw new Failure(EXIT.notLoggedIn, "auth_required", `${address} does not accept this token.`);
  const folder = dirname(configFile());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await writeWhole(configFile(), `${JSON.stringify({ address, token }, null, 2)}\n`, { mode: 0o600 });
  output.line(`Logged in to ${address} as ${cleanName(String(me.user?.first_name ?? ""))}.`);
  output.value({ ok: true, address, user: me.user });
  return EXIT.ok;
}

/** @param {Call} call */
async function logout({ output }) {
  const { address, token } = await readConfig();
  await rm(configFile(), { force: true });
  if (!token) output.line("You were not logged in.");
  else output.line(`Logged out. To make the token useless, revoke it at ${address}/settings/tokens`);
  output.value({ ok: true, was_logged_in: Boolean(token) });
  return EXIT.ok;
}

const MARKS = {
  created: paint("green", "+"),
  updated: paint("green", "~"),
  downloaded: paint("green", "<"),
  unchanged: paint("grey", "="),
  skipped: paint("grey", "-"),
  refused: paint("red", "!"),
  failed: paint("red", "!"),
  uploaded: paint("green", ">"),
  deleted_here: paint("yellow", "x"),
  deleted_there: paint("yellow", "x"),
  renamed_here: paint("blue", "r"),
  renamed_there: paint("blue", "r"),
  conflict: paint("red", "c"),
};

const STATUS_WORDS = {
  created: "new",
  updated: "changed",
  downloaded: "downloaded",
  unchanged: "unchanged",
  skipped: "skipped",
  refused: "refused",
  failed: "failed",
  uploaded: "uploaded",
  deleted_here: "deleted here",
  deleted_there: "moved to the trash of the library",
  renamed_here: "renamed here",
  renamed_there: "renamed in the library",
  conflict: "changed on both sides",
};

/** @param {Result} result */
function describeResult({ path, status, reason, to }) {
  const words = STATUS_WORDS[/** @type {keyof typeof STATUS_WORDS} */ (status)];
  const more = [words, to && `→ ${cleanName(to)}`, reason && cleanName(reason)].filter(Boolean).join(": ");
  return `${MARKS[/** @type {keyof typeof MARKS} */ (status)]} ${cleanName(path)}  ${paint("grey", more)}`;
}

/** How many of each, in words. @param {readonly Result[]} results */
function summarise(results) {
  const counts = Object.entries(STATUS_WORDS).map(([status, words]) => [
    results.filter((result) => result.status === status).length,
    words,
  ]);
  const isQuiet = results.every(({ status }) => status === "skipped");
  const said = counts.flatMap(([count, words]) => (count ? `${count} ${words}` : []));
  return (isQuiet ? ["nothing changed", ...said] : said).join(", ") + summariseReasons(results);
}

/** @param {readonly Result[]} results */
function summariseReasons(results) {
  const reasons = results.flatMap(({ status, reason }) =>
    status === "skipped" ? [reason?.split(";")[0] ?? ""] : [],
  );
  if (reasons.length === 0) return "";
  const counts = [...new Set(reasons)].map(
    (one) => `${reasons.filter((each) => each === one).length} ${one}`,
  );
  return ` (${counts.join("; ")}; --verbose lists them)`;
}

/** Prints the end of work on many files. @param {Output} output @param {Result[]} results @param {object} [more] */
function finish(output, results, more = {}) {
  const isGood = !results.some(({ status }) => ["refused", "failed", "conflict"].includes(status));
  const isSaid = results.length === 1 && results[0]?.status !== "skipped";
  if (!isSaid) output.line(summarise(results));
  output.value({ ok: isGood, ...more, files: results });
  return isGood ? EXIT.ok : EXIT.failed;
}

/** What stops one file stops no other; what stops all of them is thrown. @param {unknown} error @param {string} path @returns {Result} */
function toFailedResult(error, path) {
  if (error instanceof Failure && error.exitCode === EXIT.failed)
    return { path, status: "refused", reason: error.message };
  if (error instanceof Failure) throw error;
  return { path, status: "failed", reason: messageFrom(error) };
}

/** Where a path goes in the library: as it is seen from here, or under its own name where it lies elsewhere. @param {string} typed */
function toLibraryPath(typed) {
  const seen = relative(process.cwd(), resolve(typed)).split(sep);
  return seen[0] === ".." || /^[a-z]:/i.test(seen[0] ?? "") ? basename(resolve(typed)) : seen.join("/");
}

/** @param {string} typed @param {boolean} takesIgnored @returns {Promise<{ files: (LocalFile & { isNamed: boolean })[], skipped: Skipped[] }>} */
async function gather(typed, takesIgnored) {
  const stats = await stat(typed).catch(() => null);
  if (!stats) throw failure("no_such_file", `There is no “${cleanName(typed)}” here.`);
  const at = toLibraryPath(typed);
  if (!stats.isDirectory())
    return { files: [{ path: at, file: typed, size: stats.size, stamp: "", isNamed: true }], skipped: [] };
  const root = resolve(typed);
  const { files, skipped } = await walk(root, takesIgnored ? null : await Ignored.open(root));
  const secret = files.filter(({ path }) => isSecret(path));
  const left = [...skipped, ...secret.map(({ path }) => ({ path, reason: MAY_HOLD_SECRETS }))];
  /** @param {string} path */
  const within = (path) => (at === "" ? path : `${at}/${path}`);
  return {
    files: files
      .filter(({ path }) => !isSecret(path))
      .map((file) => ({ ...file, path: within(file.path), isNamed: false })),
    skipped: left.map((one) => ({ ...one, path: within(one.path) })),
  };
}

/** @param {Skipped} skipped @returns {Result} */
const toSkippedResult = ({ path, reason, isRefused }) => ({
  path,
  status: isRefused ? "refused" : "skipped",
  reason,
});

/** @param {Call} call */
async function push({ output, words, options }) {
  if ((words.length === 1 && words[0] === "-") !== (options.name !== undefined))
    throw usageFailure("“push -” saves what is piped in, under the name that --name gives.");
  const session = await openSession(output);
  const prefix = parseLibraryPath(String(options.to ?? ""));
  if (options.name !== undefined) return pushInput(session, prefix, String(options.name));
  const gathered = await Promise.all(words.map((word) => gather(word, Boolean(options.all))));
  // A file that is named, and is in a folder that is named as well, counts as named.
  const found = gathered.flatMap(({ files }) => files).sort((a, b) => Number(a.isNamed) - Number(b.isNamed));
  const files = [...new Map(found.map((file) => [file.path, file])).values()].sort(byPath);
  const skipped = gathered
    .flatMap(({ skipped }) => skipped)
    .filter(({ path }) => !files.some((file) => file.path === path))
    .map(toSkippedResult);
  /** @param {Result} result */
  const isShown = ({ status }) => Boolean(options.verbose) || status !== "skipped";
  for (const result of skipped) if (isShown(result)) output.line(describeResult(result));
  /** @type {Transfer[]} */
  const transfers = [];
  const upload = createUploads(session);
  /** @type {Map<string, string>} */
  const named = new Map();
  const pushOne = async (/** @type {LocalFile & { isNamed: boolean }} */ file) => {
    const to = prefix === "" ? file.path : `${prefix}/${file.path}`;
    const other = named.get(toKey(to));
    if (other !== undefined)
      return {
        path: to,
        status: "refused",
        reason: `the library would take it for “${other}”`,
      };
    named.set(toKey(to), to);
    return pushFile(session, upload, file, to, transfers).catch((error) => toFailedResult(error, to));
  };
  const results = await reportEach(output, files, pushOne, { isShown, count: PARALLEL_UPLOADS }).finally(() =>
    rememberTransfers(transfers),
  );
  return finish(output, [...skipped, ...results]);
}

/** @param {Session} session @param {string} prefix @param {string} name */
async function pushInput(session, prefix, name) {
  const path = [prefix, parseLibraryPath(name)].filter(Boolean).join("/");
  const bytes = await readInput(MAX_FILE_BYTES, `A file has at most ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  const reason = findUnfit(bytes);
  if (reason) throw failure("unfit", `What was piped in is ${reason}.`);
  const answer = await createUploads(session).send(path, bytes);
  const status = answer.unchanged ? "unchanged" : answer.status === 201 ? "created" : "updated";
  const result = { path, status, version: answer.version };
  session.output.line(describeResult(result));
  return finish(session.output, [result]);
}

/**
 * What does not fit in the library is skipped in a folder, and refused where somebody named it.
 * @param {Session} session @param {Uploads} upload @param {LocalFile & { isNamed: boolean }} local @param {string} path
 * @param {Transfer[]} transfers @returns {Promise<Result>}
 */
async function pushFile(session, upload, { file, size, isNamed }, path, transfers) {
  const unfit = { path, status: isNamed ? "refused" : "skipped" };
  if (size > MAX_FILE_BYTES) return { ...unfit, reason: TOO_LARGE };
  return upload.holding(size, async () => {
    const bytes = await readFile(file);
    const reason = findUnfit(bytes);
    if (reason) return { ...unfit, reason };
    const answer = await upload.send(path, bytes);
    transfers.push(toTransfer(session, file, { id: answer.file_id, version: answer.version }, bytes));
    const status = answer.unchanged ? "unchanged" : answer.status === 201 ? "created" : "updated";
    return { path, status, version: answer.version };
  });
}

/**
 * @typedef {{ path: string, status: number, file_id: string, version: number, unchanged?: boolean } & RefusalBody} Uploaded
 * @typedef {{ path: string, bytes: Uint8Array, expected: string | null | undefined, attempt: number,
 *   resolve: (answer: Uploaded) => void, reject: (error: unknown) => void }} Upload
 * @typedef {ReturnType<typeof createUploads>} Uploads
 */

/** Files on their way to the library: those that wait go together in the next request. @param {Session} session */
function createUploads(session) {
  /** @type {Upload[]} */
  let waiting = [];
  let requests = 0;
  let heldBytes = 0;

  function sendWaiting() {
    while (requests < BATCHES_AT_ONCE && waiting.length > 0) {
      const count = countForBatch(waiting);
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      requests += 1;
      sendBatch(session, batch)
        .then((again) => {
          waiting = [...again, ...waiting];
        })
        .catch((error) => {
          for (const upload of batch) upload.reject(error);
        })
        .finally(() => {
          requests -= 1;
          sendWaiting();
        });
    }
  }

  return {
    /** Waits until there is memory for a file before it is read. @template T @param {number} size @param {() => Promise<T>} act */
    async holding(size, act) {
      while (heldBytes > 0 && heldBytes + size > HELD_BYTES) await pause(10);
      heldBytes += size;
      try {
        return await act();
      } finally {
        heldBytes -= size;
      }
    },
    /**
     * The tag that the file must have may be given, or null where there must be none.
     * @param {string} path @param {Uint8Array} bytes @param {string | null} [expected] @returns {Promise<Uploaded>}
     */
    send(path, bytes, expected) {
      if (path.split("/").some((name) => name === "" || name === "." || name === ".."))
        throw failure("invalid_file_name", "the library does not take this name");
      return new Promise((resolve, reject) => {
        waiting.push({ path, bytes, expected, attempt: 1, resolve, reject });
        sendWaiting();
      });
    },
  };
}

/** @param {readonly Upload[]} uploads */
function countForBatch(uploads) {
  let count = 0;
  for (let bytes = 0; count < Math.min(uploads.length, BATCH_FILES); count += 1) {
    bytes += uploads[count]?.bytes.length ?? 0;
    if (count > 0 && bytes > BATCH_BYTES) break;
  }
  return count;
}

/** Answers what is to be sent again, after the wait that the server asked for. @param {Session} session @param {readonly Upload[]} batch */
async function sendBatch(session, batch) {
  const body = new FormData();
  const expected = batch.flatMap(({ path, expected }) => (expected === undefined ? [] : [[path, expected]]));
  if (expected.length > 0) body.set("if_match", JSON.stringify(Object.fromEntries(expected)));
  // A form would escape some characters of names.
  body.set("paths", JSON.stringify(batch.map(({ path }) => path)));
  for (const { path, bytes } of batch)
    body.append("files", new Blob([/** @type {BlobPart} */ (bytes)]), path);
  const response = await send(session, "POST", "/api/files/batch", { body, isRepeatable: true });
  const { results } = parseAnswer(session, await response.text().catch(throwLost));
  if (!Array.isArray(results) || results.length !== batch.length) throw unexpectedAnswer(session);
  /** @type {Upload[]} */
  const again = [];
  let seconds = 0;
  for (const [index, upload] of batch.entries()) {
    const result = results[index];
    const delay = findWait(result, upload.attempt);
    if (delay !== null) {
      seconds = Math.max(seconds, delay);
      again.push({ ...upload, attempt: upload.attempt + 1 });
    } else if (result.status < 300) upload.resolve(result);
    else upload.reject(toFailure(session, result, result));
  }
  if (seconds >= 1) session.output.remark(describeWait(again.length, seconds));
  await pause(seconds * 1000);
  return again;
}

/** Seconds until one of the files of a request is worth sending again; null where it is not. @param {Uploaded} result @param {number} attempt */
function findWait({ status, retry_after }, attempt) {
  if (status !== 429 && status !== 503) return null;
  if (attempt >= (status === 429 ? LIMITED_ATTEMPTS : BUSY_ATTEMPTS)) return null;
  const seconds = typeof retry_after === "number" ? retry_after : 2 ** (attempt - 2);
  return seconds > WAIT_MAX_SECONDS ? null : seconds + Math.random() * 0.25;
}

/** @param {number} count @param {number} seconds */
const describeWait = (count, seconds) =>
  `${formatCount(count, "file")} must wait ${Math.ceil(seconds)} s: the server takes only so many files a minute.`;

/** @param {Call} call */
async function pull({ output, words, options }) {
  const session = await openSession(output);
  const path = parseLibraryPath(words[0] ?? "");
  const force = Boolean(options.force);
  const text = await downloadByPath(session, path);
  if (text) {
    const { root, name } = await chooseTarget(path, words[1]);
    const result = await place(root, name, text.bytes, { force });
    if (result.status !== "refused")
      await rememberTransfers([toTransfer(session, join(root, name), text, text.bytes)]);
    output.line(describeResult({ ...result, path: join(root, name) }));
    return finish(output, [{ ...result, path, version: text.version }]);
  }
  const contents = await listContents(session, path, { deep: true });
  if (!contents) throw failure("not_found", `There is no “${cleanName(path)}” in the library.`);
  const root = words[1] ?? (basename(path) || ".");
  const danger = words[1] === undefined && path !== "" ? findDanger(basename(path)) : null;
  if (danger) throw failure("unsafe_path", `${cleanName(path)}: ${danger}`);
  /** @type {PulledFile[]} */
  const files = contents.files.map((file) => ({ ...file, inside: dropNames(file.path, path) })).sort(byPath);
  /** @type {Transfer[]} */
  const transfers = [];
  const results = await reportEach(
    output,
    files,
    (file) => pullFile(session, file, { root, force }, transfers),
    {
      toPrinted: (result, { inside }) =>
        findDanger(inside) ? result : { ...result, path: join(root, inside) },
    },
  ).finally(() => rememberTransfers(transfers));
  return finish(output, results);
}

/** @typedef {RemoteFile & { inside: string }} PulledFile */

/** @param {Session} session @param {PulledFile} file @param {{ root: string, force: boolean }} options @param {Transfer[]} transfers */
async function pullFile(session, file, { root, force }, transfers) {
  try {
    // The name is judged before anything is asked or written.
    await prepareTarget(root, file.inside);
    const text = await downloadById(session, file.id);
    const result = await place(root, file.inside, text.bytes, { force });
    if (result.status !== "refused")
      transfers.push(toTransfer(session, join(root, file.inside), text, text.bytes));
    return { ...result, path: file.path, version: text.version };
  } catch (error) {
    return toFailedResult(error, file.path);
  }
}

/** A path without the folders that another one goes through; case and accents of those do not matter. @param {string} path @param {string} folder */
const dropNames = (path, folder) =>
  folder === "" ? path : path.split("/").slice(folder.split("/").length).join("/");

/** Where one file goes: to the name that was given, or into the folder under its own. @param {string} path @param {string | undefined} to */
async function chooseTarget(path, to) {
  const stats = to === undefined ? null : await stat(to).catch(() => null);
  if (to !== undefined && !stats?.isDirectory() && !to.endsWith("/"))
    return { root: dirname(to), name: basename(to) };
  return { root: to ?? ".", name: basename(path) };
}

/** @param {string} root @param {string} path @param {Uint8Array} bytes @param {{ force: boolean }} options @returns {Promise<Result>} */
async function place(root, path, bytes, { force }) {
  const { target, stats } = await prepareTarget(root, path);
  if (stats) {
    if (Buffer.compare(await readFile(target), bytes) === 0) return { path, status: "unchanged" };
    if (!force) return { path, status: "refused", reason: "a different file is here; --force replaces it" };
  }
  requireForce(path, { force });
  await writeWhole(target, bytes, { mode: keepMode(stats) });
  return { path, status: "downloaded" };
}

/** @param {Call} call */
async function list({ output, words, options }) {
  const session = await openSession(output);
  const path = parseLibraryPath(words[0] ?? "");
  const contents = await listContents(session, path, { deep: Boolean(options.recursive) });
  if (!contents) throw failure("folder_not_found", `There is no folder “${cleanName(path)}” in the library.`);
  for (const folder of contents.folders.sort(byPath))
    output.line(paint("blue", `${cleanName(dropNames(folder.path, path))}/`));
  for (const file of contents.files.sort(byPath)) {
    const name = cleanName(dropNames(file.path, path));
    const facts = `${String(file.size_bytes).padStart(8)}  ${writeMoment(new Date(file.updated_at), ":")}`;
    output.line(options.long ? `${facts}  ${name}` : name);
  }
  output.value({ ok: true, path, folders: contents.folders, files: contents.files });
  return EXIT.ok;
}

/** `2026-11-16 17:46` where this machine is. @param {Date} moment @param {string} separator */
function writeMoment(moment, separator) {
  /** @param {number} number */
  const pad = (number) => String(number).padStart(2, "0");
  const day = `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
  return `${day} ${pad(moment.getHours())}${separator}${pad(moment.getMinutes())}`;
}

/** @param {Call} call */
async function cat({ output, words }) {
  const session = await openSession(output);
  const path = parseLibraryPath(words[0] ?? "");
  const text = await downloadByPath(session, path);
  if (!text) throw failure("file_not_found", `There is no file “${cleanName(path)}” in the library.`);
  const { bytes, id, version } = text;
  const content = Buffer.from(bytes).toString("utf8");
  if (output.json) output.value({ ok: true, path, id, version, content });
  else process.stdout.write(process.stdout.isTTY ? cleanText(content) : bytes);
  return EXIT.ok;
}

/** @param {Call} call */
async function search({ output, words, options }) {
  const session = await openSession(output);
  const query = {
    q: words.join(" "),
    in: options.in ? String(options.in) : undefined,
    limit: options.limit ? String(options.limit) : undefined,
  };
  const found = await sendForJson(session, "GET", "/api/search", { query });
  for (const hit of found.hits) {
    const place = [hit.repo, hit.path ?? hit.title].filter(Boolean).join(":");
    const line = hit.line === null ? "" : paint("green", `:${hit.line}`);
    output.line(
      `${paint("bold", cleanName(String(place)))}${line}${hit.snippet ? `  ${markRanges(hit)}` : ""}`,
    );
  }
  if (found.hits.length === 0) output.remark("Nothing found.");
  output.value(found);
  return EXIT.ok;
}

/** @param {{ snippet: string, ranges: [number, number][] }} hit */
function markRanges({ snippet, ranges }) {
  let text = "";
  let at = 0;
  for (const [from, to] of ranges) {
    text += cleanName(snippet.slice(at, from)) + paint("yellow", cleanName(snippet.slice(from, to)));
    at = to;
  }
  return (text + cleanName(snippet.slice(at))).trim();
}

/**
 * @typedef {{ exit_code: number, stdout: string, stderr: string, truncated: boolean, error: string | null }} RunResult
 */

/** Runs a program and prints what it prints, as it comes. @param {Call} call */
async function run({ output, words, options }) {
  const session = await openSession(output);
  const [name = "", ...args] = words;
  const order = {
    ...(await readProgram(session, name)),
    args,
    stdin: await readProgramInput(options.input),
    timeout: toNumber(options.timeout, "--timeout", { most: RUN_LIMITS.timeout.most }),
    memory_limit_mb: toNumber(options.memory, "--memory", { most: RUN_LIMITS.memory.most }),
  };
  output.progress(`Running ${name}`);
  const response = await send(session, "POST", "/api/code/run", {
    json: order,
    timeoutMs: RUN_TIMEOUT_MS,
    headers: { Accept: "text/event-stream, application/json" },
  });
  const printer = createRunPrinter(output);
  const result = await followRun(session, response, name, printer);
  output.clearProgress();
  printer.finish();
  output.value(result);
  if (output.json) return result.exit_code;
  if (result.truncated) output.remark("The output was cut: it is longer than the server keeps.");
  if (result.error) output.remark(paint("red", cleanName(result.error), process.stderr));
  if (options.input === undefined && process.stdin.isTTY && result.stderr.includes("EOFError"))
    output.remark("The program asked for input. Add --input - to type it (Ctrl-D ends it), or pipe it in.");
  return result.exit_code;
}

const PYTHON_ENDINGS = ["", ".py", ".pyw"];
/** The language of a program by the end of its name; without one of these it is Python. */
const PROGRAM_LANGUAGES = new Map([
  [".js", "javascript"],
  [".mjs", "javascript"],
  [".cjs", "javascript"],
  [".ts", "typescript"],
  [".mts", "typescript"],
]);

/** The text of a file here, or the id of one of the library, which runs beside the files of its folder. @param {Session} session @param {string} name */
async function readProgram(session, name) {
  const isLocal = (await stat(name).catch(() => null))?.isFile() ?? false;
  const language = PROGRAM_LANGUAGES.get(extname(name).toLowerCase());
  if (isLocal && !language && !PYTHON_ENDINGS.includes(extname(name).toLowerCase()))
    throw failure(
      "unknown_language",
      `${cleanName(name)} cannot be run: the sandbox runs Python (.py), JavaScript (.js) and TypeScript (.ts).`,
    );
  if (isLocal)
    return { code: (await readFile(name)).toString("utf8"), file_name: toProgramName(name), language };
  const file = await downloadByPath(session, parseLibraryPath(name), "HEAD");
  if (!file)
    throw failure(
      "file_not_found",
      `There is no file “${cleanName(name)}”, neither here nor in the library.`,
    );
  return { file_id: file.id };
}

/** What a file is called for the program itself; nothing where the server would not accept the name. @param {string} path */
function toProgramName(path) {
  const name = basename(path);
  return name.includes("\\") || name !== cleanName(name) ? undefined : name;
}

/**
 * What the program reads: a file that was named, or what is piped in. A terminal and a connection that somebody left open are read
 * only with “-”, because they may never end.
 * @param {string | boolean | undefined} given
 */
async function readProgramInput(given) {
  if (typeof given === "string" && given !== "-") return (await readFile(given)).toString("utf8");
  const { isFIFO, isFile } = readStandardInputKind();
  if (given === undefined && !isFIFO && !isFile) return "";
  const most = `A program reads at most ${RUN_INPUT_MAX_BYTES / 1024} KiB of input.`;
  return (await readInput(RUN_INPUT_MAX_BYTES, most)).toString("utf8");
}

/** All of the standard input. @param {number} maxBytes @param {string} refusal */
async function readInput(maxBytes, refusal) {
  const chunks = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw failure("input_too_large", refusal);
  }
  return Buffer.concat(chunks);
}

function readStandardInputKind() {
  try {
    const kind = fstatSync(0);
    return { isFIFO: kind.isFIFO(), isFile: kind.isFile() };
  } catch {
    // It is closed.
    return { isFIFO: false, isFile: false };
  }
}

/** @typedef {ReturnType<typeof createRunPrinter>} RunPrinter */

/** Prints the output of a program. With --json it is in the one answer instead. @param {Output} output */
function createRunPrinter(output) {
  const held = { stdout: "", stderr: "" };
  let hasPrinted = false;
  /** @param {"stdout" | "stderr"} stream @param {string} text */
  const write = (stream, text) => {
    const to = process[stream];
    if (output.json || text === "") return;
    hasPrinted = true;
    output.clearProgress();
    to.write(to.isTTY ? cleanText(text) : text);
  };
  return {
    hasPrinted: () => hasPrinted,
    /** A sequence that steers a terminal may come in two parts: its beginning waits for the rest. @param {unknown} stream @param {unknown} text */
    print(stream, text) {
      if ((stream !== "stdout" && stream !== "stderr") || typeof text !== "string") return;
      const all = held[stream] + text;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the beginning of a colour, and of a line's end
      const start = process[stream].isTTY ? all.search(/(?:\x1b(?:\[[\d;]{0,20})?|\r)$/) : -1;
      held[stream] = start === -1 ? "" : all.slice(start);
      write(stream, start === -1 ? all : all.slice(0, start));
    },
    finish() {
      for (const stream of /** @type {const} */ (["stdout", "stderr"])) write(stream, held[stream]);
    },
  };
}

/**
 * Follows a run to its result. Ctrl-C stops it on the server, and what it printed until then still comes.
 * @param {Session} session @param {Response} response @param {string} name @param {RunPrinter} printer @returns {Promise<RunResult>}
 */
async function followRun(session, response, name, printer) {
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    const result = toRunResult(session, parseAnswer(session, await response.text()));
    printer.print("stdout", result.stdout);
    printer.print("stderr", result.stderr);
    return result;
  }
  try {
    for await (const { event, data } of readEvents(session, response)) {
      if (typeof data.run_id === "string") interrupt = () => stopRun(session, String(data.run_id));
      if (event === "queued") session.output.progress(describeWaiting(data.ahead));
      if (event === "started" && !printer.hasPrinted()) session.output.progress(`Running ${name}`);
      if (event === "output") printer.print(data.stream, data.text);
      if (event === "refused") throw toFailure(session, response, data);
      if (event === "result") return toRunResult(session, data);
    }
  } finally {
    interrupt = null;
  }
  throw failure("run_interrupted", "The connection ended before the program did.");
}

/** @param {unknown} ahead */
const describeWaiting = (ahead) =>
  Number(ahead) > 0 ? `Waiting for a worker (${Number(ahead)} ahead)` : "Waiting for a worker";

/** @param {Session} session @param {string} runId */
function stopRun(session, runId) {
  session.output.progress("Stopping");
  send(session, "POST", `/api/code/run/${encodeURIComponent(runId)}/stop`, { allow: [404] }).catch(() =>
    stopAtOnce(EXIT.interrupted),
  );
}

/** @param {Session} session @param {any} answer @returns {RunResult} */
function toRunResult(session, answer) {
  const { exit_code, stdout, stderr } = answer ?? {};
  if (!Number.isInteger(exit_code) || typeof stdout !== "string" || typeof stderr !== "string")
    throw unexpectedAnswer(session);
  return answer;
}

/** The events of a stream. An answer that is no such stream, or has no end, is refused. @param {Session} session @param {Response} response */
async function* readEvents(session, response) {
  const decoder = new TextDecoder();
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    if (text.length > EVENT_MAX_LENGTH) throw unexpectedAnswer(session);
    for (const lines of whole) {
      const [, event = "", data = ""] = /^event: (\w+)\ndata: (.*)$/s.exec(lines) ?? [];
      if (event !== "") yield { event, data: parseAnswer(session, data) };
    }
  }
}

/** @param {string | boolean | undefined} value @param {string} name @param {{ least?: number, most?: number }} [limits] */
function toNumber(value, name, { least = 0, most = Number.POSITIVE_INFINITY } = {}) {
  if (value === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(String(value))) throw usageFailure(`${name} takes a number.`);
  if (Number(value) > most) throw usageFailure(`${name} takes ${most} at most.`);
  if (Number(value) < least) throw usageFailure(`${name} takes ${least} or more.`);
  return Number(value);
}

/** @param {Call} call */
async function share({ output, words, options }) {
  const session = await openSession(output);
  const { address, isFolder } = await findShareAddress(session, parseLibraryPath(words[0] ?? ""));
  requireFitting(options, isFolder);
  const wish = {
    expires_in_days: toNumber(options.days, "--days", { least: 1 }),
    permanent: options.permanent ? true : undefined,
    lines: options.lines,
    max_views: toNumber(options.views, "--views", { least: 1 }),
    mode: options.preview ? "preview" : undefined,
    follow: options.follow ? true : undefined,
    password: options.password ? await readSecret("Password of the link: ") : undefined,
  };
  const made = await sendForJson(session, "POST", address, { json: wish });
  output.line(cleanName(made.url));
  if (process.stdout.isTTY && !output.json)
    output.remark(
      made.expires_at
        ? `The link expires on ${cleanName(made.expires_at.slice(0, 10))}.`
        : "The link does not expire.",
    );
  output.value(made);
  return EXIT.ok;
}

const FOR_FILES = ["lines", "views", "preview", "password"];

/** @param {OptionValues} options @param {boolean} isFolder */
function requireFitting(options, isFolder) {
  if (options.days !== undefined && options.permanent)
    throw usageFailure("Give --days or --permanent, not both.");
  if (!isFolder && options.follow) throw usageFailure("--follow is for a folder, and this is a file.");
  const unfit = isFolder ? FOR_FILES.filter((name) => options[name] !== undefined) : [];
  if (unfit.length > 0) throw usageFailure(`--${unfit[0]} is for a file, and this is a folder.`);
}

/** @param {Session} session @param {string} path */
async function findShareAddress(session, path) {
  const file = await downloadByPath(session, path, "HEAD");
  if (file) return { address: `/api/share/${encodeURIComponent(file.id)}`, isFolder: false };
  const contents = path === "" ? null : await listContents(session, path, { deep: false });
  if (!contents?.folder_id) throw failure("not_found", `There is no “${cleanName(path)}” in the library.`);
  return { address: `/api/folders/${encodeURIComponent(contents.folder_id)}/share`, isFolder: true };
}

/** @param {Call} call */
async function note({ output, words }) {
  const session = await openSession(output);
  const [place = "", ...rest] = words;
  const [, name, line] = /^(.*?)(?::(\d+))?$/s.exec(place) ?? [];
  const content = rest.join(" ");
  if (content.trim() === "") throw usageFailure("Give the text of the note.");
  // A file whose own name ends in a colon and a number comes first.
  const whole = line ? await downloadByPath(session, parseLibraryPath(place), "HEAD") : null;
  const id = whole ? whole.id : await findNoted(session, parseLibraryPath(name ?? ""), line);
  const json = { content, line_start: line && !whole ? Number(line) : undefined };
  const made = await sendForJson(session, "POST", `/api/sticky-notes/${encodeURIComponent(id)}`, { json });
  output.line(`${session.address}/note/${encodeURIComponent(made.id)}`);
  output.value(made);
  return EXIT.ok;
}

/** The file that a note goes on; it has the line, if one is named. @param {Session} session @param {string} path @param {string | undefined} line */
async function findNoted(session, path, line) {
  const file = await downloadByPath(session, path, line ? "GET" : "HEAD");
  if (!file) throw failure("file_not_found", `There is no file “${cleanName(path)}” in the library.`);
  if (!line) return file.id;
  const text = Buffer.from(file.bytes).toString("utf8");
  const count = text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
  if (Number(line) < 1 || Number(line) > count)
    throw failure("no_such_line", `“${cleanName(path)}” has ${formatCount(count, "line")}.`);
  return file.id;
}

/** @param {Call} call */
async function openPage({ output, words, options }) {
  const session = await openSession(output);
  const url = session.address + (await findPage(session, parseLibraryPath(words[0] ?? "")));
  output.line(url);
  output.value({ ok: true, url });
  if (!options.print) openInBrowser(url);
  return EXIT.ok;
}

/** @param {Session} session @param {string} path */
async function findPage(session, path) {
  if (path === "") return "/files";
  const file = await downloadByPath(session, path, "HEAD");
  if (file) return `/file/${encodeURIComponent(file.id)}`;
  const contents = await listContents(session, path, { deep: false });
  if (!contents?.folder_id) throw failure("not_found", `There is no “${cleanName(path)}” in the library.`);
  return `/files?folder=${encodeURIComponent(contents.folder_id)}`;
}

/** Where no browser can be started, the printed address is enough. @param {string} url */
function openInBrowser(url) {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasScreen = process.platform !== "linux" || DISPLAY || WAYLAND_DISPLAY;
  if (!BROWSER && !hasScreen) return;
  const [program, ...given] = BROWSER
    ? [BROWSER]
    : process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler"]
        : ["xdg-open"];
  const child = spawn(program ?? "", [...given, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

// ---- Sync

/**
 * Both sides are compared with what they were after the last sync: for each file the version in the library and the hash of its
 * bytes here. A side that is as it was takes over what the other did. Where both changed to different texts, the one from here is
 * kept beside. The server's copy is written only as the version that was seen (If-Match), the local one only as it was read, so
 * that what changes meanwhile is never overwritten; it is looked at again. Where a file has not been synced yet, the last push or
 * pull of it counts as its last sync. A sync that was interrupted finds equal texts on both
 * sides and takes them as done.
 *
 * @typedef {{ path: string, there?: string, id: string, version: number, hash: string, stamp: string }} Base
 * @typedef {LocalFile & { hash: string }} HashedFile
 * @typedef {{ session: Session, uploads: Uploads, root: string, folder: string, dryRun: boolean, force: boolean, takesIgnored: boolean, base: Map<string, Base>,
 *   transfers: Map<string, Transfer> }} Sync
 * @typedef {{ local: Map<string, HashedFile>, remote: Map<string, RemoteFile>, blocked: Set<string>, contents: Contents,
 *   folders: Map<string, string>, results: Result[], again: boolean, isLast: boolean }} Pass
 * @typedef {"upload" | "download" | "delete_here" | "delete_there" | "compare" | "forget"} Action
 */

const SYNC_PASSES = 4;
const WATCH_SECONDS = 15;
const SETTLE_MS = 200;
/** A file that was written to this lately may be written to again without its dates showing it. */
const FRESH_MS = 2_000;

/** The library has a folder once, whatever the case of its name, and any name once, however its accents are written. @param {string} path */
function toKey(path) {
  const at = path.lastIndexOf("/") + 1;
  return path.slice(0, at).normalize("NFC").toLowerCase() + path.slice(at).normalize("NFC");
}

/** @param {string} folder */
const toFolderKey = (folder) => folder.normalize("NFC").toLowerCase();

/** @param {Call} call */
async function sync({ output, words, options }) {
  const session = await openSession(output);
  const root = resolve(words[0] ?? "");
  const dryRun = Boolean(options["dry-run"]);
  const seconds = toNumber(options.interval, "--interval") ?? WATCH_SECONDS;
  await requireEitherSide(
    session,
    root,
    parseLibraryPath(String(options.to ?? basename(root))),
    words[0] ?? "",
  );
  if (!dryRun) await mkdir(root, { recursive: true });
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw failure("no_such_folder", `There is no folder “${cleanName(words[0] ?? "")}” here.`);
  const unlock = dryRun ? async () => {} : await takeLock(root);
  try {
    const { folder, base } = await readState(session, root, options.to);
    const transfers = await readTransfers(session.address);
    const uploads = createUploads(session);
    const [force, takesIgnored] = [Boolean(options.force), Boolean(options.all)];
    const task = { session, uploads, root, folder, dryRun, base, transfers, force, takesIgnored };
    /** @param {Result} result */
    const isShown = ({ status }) => Boolean(options.verbose) || status !== "skipped";
    if (options.watch) return await keepSyncing(task, seconds * 1000, isShown);
    /** @type {Map<string, Result>} */
    const done = new Map();
    const results = await syncOnce(task, done).finally(() => {
      for (const result of done.values()) if (isShown(result)) output.line(describeResult(result));
    });
    return finish(output, results, { folder, dry_run: dryRun });
  } finally {
    await unlock();
  }
}

/** A name that is neither here nor in the library is a mistake. @param {Session} session @param {string} root @param {string} folder @param {string} typed */
async function requireEitherSide(session, root, folder, typed) {
  if ((await statOrNull(root)) || folder === "" || (await listContents(session, folder, { deep: false })))
    return;
  throw failure(
    "no_such_folder",
    `There is no folder “${cleanName(typed)}”, neither here nor in the library.`,
  );
}

/** One sync of a folder at a time; the lock of a process that is gone does not count. @param {string} root */
async function takeLock(root) {
  const file = join(root, LOCK_NAME);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = await open(file, "wx");
      await handle.writeFile(String(process.pid));
      await handle.close();
      temporaryFiles.add(file);
      const heartbeat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS);
      heartbeat.unref();
      return async () => {
        clearInterval(heartbeat);
        await rm(file, { force: true });
        temporaryFiles.delete(file);
      };
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
      if (await isHeld(file)) break;
      await rm(file, { force: true });
    }
  }
  throw failure("sync_running", "Another sync of this folder is running.");
}

const HEARTBEAT_MS = 5_000;
const SILENCE_MS = 30_000;

/** Whether who took a lock is still there. A number may be another process's by now, so silence counts, too. @param {string} file */
async function isHeld(file) {
  const pid = Number(await readFile(file, "utf8").catch(() => "0"));
  const mtimeMs = (await statOrNull(file))?.mtimeMs ?? 0;
  return isRunning(pid) && Math.abs(Date.now() - mtimeMs) < SILENCE_MS;
}

/** @param {number} pid */
function isRunning(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** @param {Session} session @param {string} root @param {string | boolean | undefined} to */
async function readState(session, root, to) {
  const file = join(root, STATE_NAME);
  const asked = to === undefined ? undefined : parseLibraryPath(String(to));
  const text = await readFile(file, "utf8").catch((error) => {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  });
  if (text === null) return { folder: asked ?? basename(root), base: new Map() };
  const state = parseState(text, file);
  if (state.address !== session.address || (asked !== undefined && asked !== state.folder))
    throw failure(
      "other_folder",
      `This folder is synced with “${cleanName(state.folder)}” of ${cleanName(state.address)}. Delete ${STATE_NAME} to start from the beginning.`,
    );
  return { folder: state.folder, base: new Map(state.files.map((entry) => [toKey(entry.path), entry])) };
}

/** @param {string} text @param {string} file @returns {{ address: string, folder: string, files: Base[] }} */
function parseState(text, file) {
  try {
    const state = JSON.parse(text);
    if (state.format === 1 && typeof state.folder === "string" && Array.isArray(state.files)) return state;
  } catch {}
  throw failure("state_unreadable", `${file} is damaged. Delete it to compare everything from the start.`);
}

/** @param {Sync} task */
async function writeState({ session, root, folder, dryRun, base }) {
  if (dryRun) return;
  const files = [...base.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const state = { format: 1, address: session.address, folder, files };
  await writeWhole(join(root, STATE_NAME), `${JSON.stringify(state, null, 1)}\n`);
}

/** Syncs until nothing changes in between any more; `results` has what was done, also where it is cut off. @param {Sync} task @param {Map<string, Result>} [results] @returns {Promise<Result[]>} */
async function syncOnce(task, results = new Map()) {
  for (let number = 1; number <= SYNC_PASSES; number += 1) {
    const pass = await readSides(task);
    pass.isLast = number === SYNC_PASSES;
    try {
      await renameFolders(task, pass);
      await moveFoldersThere(task, pass);
      await renameThere(task, pass);
      await renameHere(task, pass);
      await settle(task, pass);
      recordPaths(task, pass);
    } finally {
      await writeState(task);
      for (const result of pass.results) results.set(`${result.status} ${result.path}`, result);
    }
    if (!pass.again) break;
  }
  return [...results.values()];
}

/** What is here and what is there, as of now. @param {Sync} task @returns {Promise<Pass>} */
async function readSides(task) {
  const { session, root, folder, base } = task;
  const found = await listContents(session, folder, { deep: true });
  if (!found && base.size > 0)
    throw failure(
      "folder_not_found",
      `The folder “${cleanName(folder)}” is no longer in the library. Nothing was deleted here. Delete ${STATE_NAME} to upload it again, or sync with another folder then (--to).`,
    );
  const contents = found ?? { folder_id: null, folders: [], files: [] };
  /** @type {Pass} */
  const pass = {
    ...{ local: new Map(), remote: new Map(), blocked: new Set(), folders: new Map() },
    ...{ contents, results: [], again: false, isLast: false },
  };
  for (const file of contents.files) {
    const path = dropNames(file.path, folder);
    const danger = findDanger(path);
    if (danger) pass.results.push({ path: file.path, status: "skipped", reason: danger });
    else if (!isJunk(path)) pass.remote.set(toKey(path), { ...file, path });
  }
  if (await statOrNull(root)) await readLocal(task, pass);
  startFromTransfers(task, pass);
  return pass;
}

/** A file that is on both sides and was not synced yet is compared with what push or pull had. @param {Sync} task @param {Pass} pass */
function startFromTransfers({ base, transfers }, pass) {
  for (const [key, { path, file }] of pass.local) {
    const known = transfers.get(file);
    if (!known || base.has(key) || pass.remote.get(key)?.id !== known.id) continue;
    const { id, version, hash } = known;
    base.set(key, { path, id, version, hash, stamp: "" });
  }
}

/** @param {Sync} task @param {Pass} pass */
async function readLocal({ root, base, session, takesIgnored }, pass) {
  const ignored = takesIgnored ? null : await Ignored.open(root);
  const { files, skipped } = await walk(root, ignored);
  // Ignored files stay as they are on both sides.
  for (const [key, { path }] of [...base, ...pass.remote]) if (ignored?.covers(path)) pass.blocked.add(key);
  for (const one of skipped)
    if (!isJunk(one.path) && !isJunk(`${one.path}/x`)) {
      pass.results.push(toSkippedResult(one));
      pass.blocked.add(toKey(one.path));
    }
  /** @param {LocalFile} file */
  const isKnown = ({ path }) => [base, pass.remote].some((side) => side.get(toKey(path))?.path === path);
  const knownFirst = [...files.filter(isKnown), ...files.filter((file) => !isKnown(file))];
  for (const [number, file] of knownFirst.entries()) {
    session.output.progress(`Reading ${number + 1}/${files.length} ${file.path}`);
    const key = toKey(file.path);
    // A file that is in the library already was put there on purpose.
    const isHeldBack = isSecret(file.path) && !base.has(key) && !pass.remote.has(key);
    if (pass.local.has(key)) {
      const reason = `the library has one file for this name and for ${cleanName(pass.local.get(key)?.path ?? "")}`;
      pass.results.push({ path: file.path, status: "refused", reason });
      continue;
    }
    const read = isHeldBack ? { unfit: MAY_HOLD_SECRETS } : await readHash(file, base.get(key));
    if (read.hash === undefined) {
      pass.results.push({ path: file.path, status: "skipped", reason: read.unfit });
      pass.blocked.add(key);
    } else {
      pass.local.set(key, { ...file, hash: read.hash });
      const parent = file.path.split("/").slice(0, -1).join("/");
      pass.folders.set(toFolderKey(parent), parent);
    }
  }
}

/** The hash of a file, from the last sync where nothing wrote to it since. @param {LocalFile} file @param {Base | undefined} base @returns {Promise<{ hash?: string, unfit?: string }>} */
async function readHash(file, base) {
  if (base && base.stamp === file.stamp) return { hash: base.hash };
  if (file.size > MAX_FILE_BYTES) return { unfit: TOO_LARGE };
  const isFresh = Date.now() - ((await statOrNull(file.file))?.ctimeMs ?? 0) < FRESH_MS;
  const bytes = await readFile(file.file);
  const unfit = findUnfit(bytes);
  if (unfit) return { unfit };
  const hash = hashBytes(bytes);
  if (base?.hash === hash && !isFresh) base.stamp = file.stamp;
  return { hash };
}

/** The folders of some files by the key of their path, each as its name is written; null where it is written in two ways. @param {Iterable<string>} paths @returns {Map<string, string | null>} */
function spellFolders(paths) {
  const spelled = new Map();
  for (const folder of new Set([...paths].map((path) => path.split("/").slice(0, -1).join("/")))) {
    const names = folder === "" ? [] : folder.split("/");
    for (const [depth, name] of names.entries()) {
      const key = toFolderKey(names.slice(0, depth + 1).join("/"));
      spelled.set(key, (spelled.get(key) ?? name) === name ? name : null);
    }
  }
  return spelled;
}

/** How the library writes its folders. @param {Sync} task @param {Pass} pass */
const spellThere = ({ folder }, { contents }) =>
  spellFolders(contents.folders.map(({ path }) => `${dropNames(path, folder)}/`));

/**
 * A folder whose name got other capital letters on one side gets them on the other. Where both sides changed, or never agreed, each
 * keeps its own. @param {Sync} task @param {Pass} pass
 */
async function renameFolders(task, pass) {
  const bases = [...task.base.values()];
  const formerHere = spellFolders(bases.map(({ path }) => path));
  const formerThere = spellFolders(bases.flatMap(({ there }) => there ?? []));
  const here = spellFolders([...pass.local.values()].map(({ path }) => path));
  for (const [key, name] of spellThere(task, pass)) {
    const local = here.get(key);
    if (!name || !local || name === local || !formerHere.get(key) || !formerThere.get(key)) continue;
    const isChangedHere = local !== formerHere.get(key);
    const isChangedThere = name !== formerThere.get(key);
    if (isChangedHere && !isChangedThere) await renameFolderThere(task, pass, key, local);
    if (isChangedThere && !isChangedHere) await renameFolderHere(task, pass, key, name);
  }
}

/** @param {Sync} task @param {Pass} pass @param {string} key @param {string} name */
async function renameFolderThere({ session, folder, dryRun }, pass, key, name) {
  const renamed = pass.contents.folders.find(({ path }) => toFolderKey(dropNames(path, folder)) === key);
  if (!renamed) return;
  try {
    const address = `/api/folders/${encodeURIComponent(renamed.id)}`;
    if (!dryRun) await sendForJson(session, "PATCH", address, { json: { name } });
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== EXIT.failed) throw error;
    return;
  }
  const path = dropNames(renamed.path, folder);
  const [depth, outside] = [path.split("/").length, renamed.path.split("/").length - path.split("/").length];
  pass.results.push({ path, status: "renamed_there", to: respell(path, depth, name) });
  for (const [file, remote] of pass.remote)
    if (file.startsWith(`${key}/`)) remote.path = respell(remote.path, depth, name);
  for (const each of pass.contents.folders)
    if (`${toFolderKey(dropNames(each.path, folder))}/`.startsWith(`${key}/`))
      each.path = respell(each.path, outside + depth, name);
}

/** @param {Sync} task @param {Pass} pass @param {string} key @param {string} name */
async function renameFolderHere({ root, dryRun }, pass, key, name) {
  const depth = key.split("/").length;
  const files = [...pass.local].filter(([file]) => file.startsWith(`${key}/`)).map(([, file]) => file);
  const from = files[0]?.path.split("/").slice(0, depth).join("/") ?? "";
  const to = respell(from, depth, name);
  const [source, target] = [await statOrNull(join(root, from)), await statOrNull(join(root, to))];
  if (findDanger(`${to}/x`) || (target && target.ino !== source?.ino)) return;
  if (!dryRun) await rename(join(root, from), join(root, to));
  pass.results.push({ path: from, status: "renamed_here", to });
  if (dryRun) return;
  for (const file of files) {
    file.path = respell(file.path, depth, name);
    file.file = join(root, file.path);
  }
  for (const [folder, path] of pass.folders)
    if (`${folder}/`.startsWith(`${key}/`)) pass.folders.set(folder, respell(path, depth, name));
}

/** A folder that has another name or place here is moved as a whole in the library: it keeps its links. @param {Sync} task @param {Pass} pass */
async function moveFoldersThere(task, pass) {
  const { session, folder, root, dryRun, base } = task;
  const here = spellFolders([...pass.local.values()].map(({ path }) => path));
  let there = mapFolders(task, pass);
  for (const key of [...there.keys()].sort((a, b) => a.length - b.length)) {
    if (here.has(key)) continue;
    const moved = there.get(key);
    const to = moved && findMovedFolder(task, pass, key);
    if (!to || (await statOrNull(join(root, ...dropNames(moved.path, folder).split("/"))))) continue;
    const parent = to.split("/").slice(0, -1).join("/");
    const parent_id = parent === "" ? pass.contents.folder_id : there.get(toFolderKey(parent))?.id;
    if (parent_id === undefined) continue;
    try {
      const json = { name: basename(to), parent_id };
      if (!dryRun)
        await sendForJson(session, "PATCH", `/api/folders/${encodeURIComponent(moved.id)}`, { json });
    } catch (error) {
      if (!(error instanceof Failure) || error.exitCode !== EXIT.failed) throw error;
      continue;
    }
    const from = dropNames(moved.path, folder);
    pass.results.push({ path: from, status: "renamed_there", to });
    const move = (/** @type {string} */ path) => `${to}${path.slice(from.length)}`;
    for (const side of [base, pass.remote])
      for (const [file, each] of [...side].filter(([file]) => file.startsWith(`${key}/`))) {
        side.delete(file);
        side.set(toKey(move(each.path)), /** @type {any} */ ({ ...each, path: move(each.path) }));
      }
    for (const each of pass.contents.folders) {
      const path = dropNames(each.path, folder);
      if (`${toFolderKey(path)}/`.startsWith(`${key}/`))
        each.path = `${each.path.slice(0, each.path.length - path.length)}${move(path)}`;
    }
    there = mapFolders(task, pass);
  }
}

/** The folders of the library by the keys of their paths. @param {Pick<Sync, "folder">} task @param {Pass} pass */
const mapFolders = ({ folder }, { contents }) =>
  new Map(contents.folders.map((each) => [toFolderKey(dropNames(each.path, folder)), each]));

/** Finds the folder here that has all files of a folder of the library, if nobody changed them there and they are new here. @param {Sync} task @param {Pass} pass @param {string} key */
function findMovedFolder({ base }, { local, remote, blocked }, key) {
  const files = [...remote].filter(([file]) => file.startsWith(`${key}/`));
  const tails = files.map(([file]) => file.slice(key.length));
  const isUnchanged = files.every(([file, { id, version }]) => {
    const known = base.get(file);
    return known?.id === id && known.version === version && !blocked.has(file);
  });
  const first = base.get(files[0]?.[0] ?? "");
  if (!isUnchanged || !first) return null;
  for (const [file, { path, hash }] of local) {
    const to = file.slice(0, -(tails[0] ?? "").length);
    if (hash !== first.hash || !file.endsWith(tails[0] ?? "") || base.has(file) || to === "") continue;
    const isThere = tails.every((tail) => {
      const [moved, former] = [local.get(`${to}${tail}`), base.get(`${key}${tail}`)];
      return moved?.hash === former?.hash && !base.has(`${to}${tail}`) && !remote.has(`${to}${tail}`);
    });
    const hasText = tails.some((tail) => (local.get(`${to}${tail}`)?.size ?? 0) > 0);
    if (isThere && hasText) return path.slice(0, to.length);
  }
  return null;
}

/** A path whose folder at this depth has this name. @param {string} path @param {number} depth @param {string} name */
function respell(path, depth, name) {
  const names = path.split("/");
  names[depth - 1] = name;
  return names.join("/");
}

/** How each file's path is written on both sides, for the next sync. @param {Sync} task @param {Pass} pass */
function recordPaths(task, pass) {
  const there = spellThere(task, pass);
  for (const [key, known] of task.base) {
    known.path = pass.local.get(key)?.path ?? known.path;
    const names = known.path.split("/");
    const folders = names
      .slice(0, -1)
      .map((name, depth) => there.get(toFolderKey(names.slice(0, depth + 1).join("/"))) ?? name);
    known.there = [...folders, names.at(-1)].join("/");
  }
}

/** Files that were moved or renamed here are so in the library: their notes, versions and links stay. @param {Sync} task @param {Pass} pass */
async function renameThere(task, pass) {
  const { base, dryRun } = task;
  for (const [key, known] of [...base]) {
    const there = pass.remote.get(key);
    const isMissing = !pass.local.has(key) && !pass.blocked.has(key);
    if (!isMissing || there?.id !== known.id || there.version !== known.version) continue;
    const moved = [...pass.local].find(
      ([to, file]) => file.hash === known.hash && file.size > 0 && !base.has(to) && !pass.remote.has(to),
    );
    if (!moved) continue;
    const [to, file] = moved;
    try {
      if (!dryRun) await moveThere(task, pass, there, file.path);
    } catch (error) {
      // Where the library does not take the move, the file is uploaded again and the old one deleted.
      if (!(error instanceof Failure) || error.exitCode !== EXIT.failed) throw error;
      continue;
    }
    pass.results.push({ path: there.path, status: "renamed_there", to: file.path });
    pass.remote.delete(key);
    pass.remote.set(to, { ...there, path: file.path });
    base.delete(key);
    base.set(to, { ...known, path: file.path, stamp: "" });
  }
}

/** @param {Sync} task @param {Pass} pass @param {RemoteFile} file @param {string} to */
async function moveThere({ session, folder }, { contents }, file, to) {
  const names = [...(folder === "" ? [] : folder.split("/")), ...to.split("/")];
  const file_name = names.pop();
  /** @type {string | null} */
  let folder_id = null;
  for (const [depth, name] of names.entries()) {
    const path = names.slice(0, depth + 1).join("/");
    const isOwn = toFolderKey(path) === toFolderKey(folder);
    const known = contents.folders.find((one) => toFolderKey(one.path) === toFolderKey(path));
    if (isOwn) folder_id = contents.folder_id;
    else if (known) folder_id = known.id;
    else if (depth + 1 > folder.split("/").length || folder === "") {
      const json = { name, parent_id: folder_id };
      const made = await sendForJson(session, "POST", "/api/folders", { json });
      contents.folders.push(made.folder);
      folder_id = made.folder.id;
    }
  }
  const json = { file_name, folder_id };
  await sendForJson(session, "PATCH", `/api/file/${encodeURIComponent(file.id)}`, { json });
}

/** Files that were moved or renamed in the library are so here, with what was changed in them here. @param {Sync} task @param {Pass} pass */
async function renameHere({ root, base, dryRun }, pass) {
  const places = new Map([...pass.remote].map(([key, { id }]) => [id, key]));
  for (const [key, known] of [...base]) {
    const to = places.get(known.id);
    const file = pass.local.get(key);
    if (!file || to === undefined || to === key || pass.remote.has(key)) continue;
    if (base.has(to) || pass.local.has(to) || pass.blocked.has(to)) continue;
    const path = toLocalPath(pass, pass.remote.get(to)?.path ?? "");
    if (!dryRun) {
      const { target, stats } = await prepareTarget(root, path);
      if (stats) continue;
      await rename(file.file, target);
      await removeEmptyParents(root, file.path);
    }
    pass.results.push({ path: file.path, status: "renamed_here", to: path });
    pass.local.delete(key);
    const stamp = dryRun ? file.stamp : toStamp(await lstat(join(root, path)));
    pass.local.set(to, { ...file, path, file: join(root, path), stamp });
    base.delete(key);
    base.set(to, { ...known, path, stamp: "" });
  }
}

/** Where a file of the library is here: in the folders that are here already, as their names are written here. @param {Pass} pass @param {string} path */
function toLocalPath({ folders }, path) {
  const names = path.split("/");
  const name = names.pop() ?? "";
  for (let depth = names.length; depth > 0; depth -= 1) {
    const known = folders.get(toFolderKey(names.slice(0, depth).join("/")));
    if (known) return [known, ...names.slice(depth), name].join("/");
  }
  return path;
}

/** What is to be done with one file. @param {Base | undefined} base @param {HashedFile | undefined} local @param {RemoteFile | undefined} remote @returns {Action | null} */
function decide(base, local, remote) {
  const changedHere = local?.hash !== base?.hash;
  const changedThere = remote?.id !== base?.id || remote?.version !== base?.version;
  if (!local && !remote) return base ? "forget" : null;
  if (!remote) return base && !changedHere ? "delete_here" : "upload";
  if (!local) return base && !changedThere ? "delete_there" : "download";
  if (changedHere && changedThere) return "compare";
  return changedHere ? "upload" : changedThere ? "download" : null;
}

/** @param {Sync} task @param {Pass} pass */
async function settle(task, pass) {
  const keys = [...new Set([...task.base.keys(), ...pass.local.keys(), ...pass.remote.keys()])].sort();
  const work = keys
    .filter((key) => !pass.blocked.has(key))
    .map((key) => ({ key, action: decide(task.base.get(key), pass.local.get(key), pass.remote.get(key)) }))
    .filter(({ action }) => action !== null);
  let done = 0;
  /** @param {typeof work[number]} item */
  const act = async ({ key, action }) => {
    const path = pass.local.get(key)?.path ?? pass.remote.get(key)?.path ?? task.base.get(key)?.path ?? key;
    try {
      const result = await ACTIONS[/** @type {Action} */ (action)](task, pass, key);
      if (result) pass.results.push({ path, ...result });
    } catch (error) {
      if (isOvertaken(error) && !pass.isLast) pass.again = true;
      else pass.results.push(toFailedResult(error, path));
    }
    done += 1;
    task.session.output.progress(`${done}/${work.length} ${path}`);
    if (done % STATE_EVERY === 0) await writeState(task);
  };
  const isUpload = (/** @type {typeof work[number]} */ { action }) => action === "upload";
  await forEachInParallel(
    work.filter((item) => !isUpload(item)),
    act,
  );
  await removeEmptyFolders(task, pass);
  await forEachInParallel(work.filter(isUpload), act, PARALLEL_UPLOADS);
}

/** A sync that is cut off compares so many files again at most. */
const STATE_EVERY = 200;

/** Somebody changed the file between the look at it and the write. @param {unknown} error */
const isOvertaken = (error) =>
  error instanceof Failure && ["version_changed", "changed_meanwhile", "file_not_found"].includes(error.code);

const changedMeanwhile = () => failure("changed_meanwhile", "it keeps changing; sync again");

/** @type {Record<Action, (task: Sync, pass: Pass, key: string) => Promise<{ status: string, to?: string, reason?: string } | null>>} */
const ACTIONS = {
  async forget({ base }, _, key) {
    base.delete(key);
    return null;
  },

  async upload(task, pass, key) {
    const file = /** @type {HashedFile} */ (pass.local.get(key));
    const remote = pass.remote.get(key);
    if (task.dryRun) return { status: "uploaded" };
    return task.uploads.holding(file.size, async () => {
      const bytes = await readFile(file.file).catch(() => {
        throw changedMeanwhile();
      });
      const unfit = findUnfit(bytes);
      if (unfit) return { status: "skipped", reason: unfit };
      const inside = remote?.path ?? file.path;
      const path = task.folder === "" ? inside : `${task.folder}/${inside}`;
      const { file_id: id, version } = await task.uploads.send(path, bytes, remote?.etag ?? null);
      task.base.set(key, { path: file.path, id, version, hash: hashBytes(bytes), stamp: "" });
      return { status: "uploaded" };
    });
  },

  async download(task, pass, key) {
    const remote = /** @type {RemoteFile} */ (pass.remote.get(key));
    if (task.dryRun) return { status: "downloaded" };
    await replaceHere(task, pass, key, await downloadById(task.session, remote.id));
    return { status: "downloaded" };
  },

  async delete_here(task, pass, key) {
    const file = /** @type {HashedFile} */ (pass.local.get(key));
    if (task.dryRun) return { status: "deleted_here" };
    if (hashBytes(await readFile(file.file)) !== file.hash) throw changedMeanwhile();
    await rm(file.file);
    await removeEmptyParents(task.root, file.path);
    task.base.delete(key);
    return { status: "deleted_here" };
  },

  async delete_there(task, pass, key) {
    const remote = /** @type {RemoteFile} */ (pass.remote.get(key));
    if (task.dryRun) return { status: "deleted_there" };
    const path = task.folder === "" ? remote.path : `${task.folder}/${remote.path}`;
    await send(task.session, "DELETE", `/api/files/${encodePath(path)}`, {
      headers: { "If-Match": remote.etag },
    });
    task.base.delete(key);
    return { status: "deleted_there" };
  },

  async compare(task, pass, key) {
    const file = /** @type {HashedFile} */ (pass.local.get(key));
    const remote = /** @type {RemoteFile} */ (pass.remote.get(key));
    const text = await downloadById(task.session, remote.id);
    const here = await readFile(file.file);
    if (here.equals(text.bytes)) {
      const { id, version } = text;
      task.base.set(key, { path: file.path, id, version, hash: hashBytes(here), stamp: "" });
      return null;
    }
    const to = await nameConflict(task.root, file.path, new Date());
    if (task.dryRun) return { status: "conflict", to };
    await requireUntouched(file);
    await rename(file.file, join(task.root, to));
    pass.local.delete(key);
    // The copy is a file like any other, so the next pass uploads it.
    pass.again = true;
    await replaceHere(task, pass, key, text);
    return { status: "conflict", to };
  },
};

/** @param {HashedFile} file */
async function requireUntouched(file) {
  const stats = await statOrNull(file.file);
  if (!stats || toStamp(stats) !== file.stamp) throw changedMeanwhile();
}

/** Writes the library's text in place of the file that was read here, and of no other. @param {Sync} task @param {Pass} pass @param {string} key @param {{ bytes: Uint8Array, version: number, id: string }} text */
async function replaceHere(task, pass, key, { bytes, version, id }) {
  const file = pass.local.get(key);
  const path = file?.path ?? toLocalPath(pass, pass.remote.get(key)?.path ?? "");
  requireForce(path, task);
  const { target, stats } = await prepareTarget(task.root, path);
  if (stats && !file) throw failure("in_the_way", "a file with this name is here already");
  const isReady = async () => {
    const now = await statOrNull(target);
    return file ? now !== null && toStamp(now) === file.stamp : now === null;
  };
  if (!(await writeWhole(target, bytes, { mode: keepMode(stats), isReady }))) throw changedMeanwhile();
  task.base.set(key, { path, id, version, hash: hashBytes(bytes), stamp: "" });
}

/** `notes.md` → `notes (conflict 2026-11-16 17-46).md`, with a number where that is taken. @param {string} root @param {string} path @param {Date} now */
async function nameConflict(root, path, now) {
  const at = path.lastIndexOf("/") + 1;
  const name = path.slice(at);
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const moment = writeMoment(now, "-");
  for (let number = 1; ; number += 1) {
    const more = number === 1 ? "" : ` ${number}`;
    const beside = `${path.slice(0, at)}${[...stem].slice(0, 100).join("")} (conflict ${moment}${more})${ending}`;
    if (!(await statOrNull(join(root, beside)))) return beside;
  }
}

/** @param {string} root @param {string} path */
async function removeEmptyParents(root, path) {
  for (let names = path.split("/").slice(0, -1); names.length > 0; names = names.slice(0, -1)) {
    try {
      await rmdir(join(root, ...names));
    } catch {
      return;
    }
  }
}

/** Folders of the library whose last file was deleted because their folder here is gone, or is a file by now. @param {Sync} task @param {Pass} pass */
async function removeEmptyFolders({ session, root, folder, dryRun }, pass) {
  if (dryRun) return;
  const deleted = pass.results.filter(
    ({ status }) => status === "deleted_there" || status === "renamed_there",
  );
  const parents = deleted.flatMap(({ path }) => {
    const names = path.split("/").slice(0, -1);
    return names.map((_, depth) => names.slice(0, depth + 1).join("/"));
  });
  const there = mapFolders({ folder }, pass);
  const replaced = [...pass.local.values()]
    .map(({ path }) => path)
    .filter((path) => there.has(toFolderKey(path)));
  for (const parent of [...new Set([...parents, ...replaced])].sort((a, b) => b.length - a.length)) {
    const known = there.get(toFolderKey(parent));
    if (!known || (await statOrNull(join(root, ...parent.split("/"))))?.isDirectory()) continue;
    const query = { if_empty: "1" };
    await send(session, "DELETE", `/api/folders/${encodeURIComponent(known.id)}`, {
      query,
      allow: [404, 409],
    });
  }
}

/** Syncs when something changes here, and now and then for what changes there; an interruption ends it. @param {Sync} task @param {number} intervalMs @param {(result: Result) => boolean} isShown @returns {Promise<number>} */
async function keepSyncing(task, intervalMs, isShown) {
  const { output } = task.session;
  /** @type {Set<string>} */
  const told = new Set();
  const changes = watchFolder(task.root);
  output.remark(`Watching ${task.root}. Press Ctrl-C to stop.`);
  for (;;) {
    try {
      const results = (await syncOnce(task)).filter((result) => {
        const isLasting = result.status === "skipped" || result.status === "refused";
        const isNews = !isLasting || !told.has(result.path);
        if (isLasting) told.add(result.path);
        return isNews;
      });
      for (const result of results) if (isShown(result)) output.line(describeResult(result));
      if (results.length > 0) output.value({ ok: true, folder: task.folder, files: results });
    } catch (error) {
      if (!(error instanceof Failure) || !isPassing(error)) throw error;
      output.remark(paint("yellow", error.message, process.stderr));
    }
    await changes.next(intervalMs);
  }
}

/** Whether a failure is the server's, and may be over the next time. @param {Failure} failure */
function isPassing({ exitCode, context }) {
  const status = "status" in context ? Number(context.status) : 0;
  return exitCode === EXIT.network || status === 429 || status >= 500;
}

/** Says when something below a folder changed; where the system cannot tell, the time alone does. @param {string} root */
function watchFolder(root) {
  let hasChanged = false;
  let wake = () => {};
  try {
    const watcher = watchFiles(root, { recursive: true }, (_, name) => {
      if (name !== null && isJunk(String(name).split(sep).join("/"))) return;
      hasChanged = true;
      wake();
    });
    watcher.on("error", () => {});
  } catch {}
  return {
    /** @param {number} ms */
    async next(ms) {
      if (!hasChanged)
        await Promise.race([
          pause(ms),
          new Promise((done) => {
            wake = () => done(undefined);
          }),
        ]);
      // Writers write several times; they are waited for.
      if (hasChanged) await pause(SETTLE_MS);
      hasChanged = false;
    },
  };
}

// ---- Completion

const BASH_COMPLETION = `# codeshelf completion for bash: eval "$(codeshelf completion bash)"
_codeshelf() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]:-}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="@COMMANDS@ --help --version"
  elif [ "\${current#-}" != "$current" ]; then
    case "$command" in
@OPTIONS@
    esac
  else
    case "$command" in
      completion) words="bash zsh" ;;
      push|sync|run) compopt -o default 2>/dev/null; return ;;
      pull|cat|ls|share|note|open)
        local path IFS=$'\\n'
        compopt -o nospace -o filenames 2>/dev/null
        for path in $("\${COMP_WORDS[0]}" paths "$current" 2>/dev/null); do COMPREPLY+=("$path"); done
        return ;;
    esac
  fi
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _codeshelf codeshelf
`;

const ZSH_COMPLETION = `#compdef codeshelf
# codeshelf completion for zsh: eval "$(codeshelf completion zsh)"
_codeshelf() {
  local -a words_found
  if (( CURRENT == 2 )); then
    words_found=(@ZSH_COMMANDS@)
    _describe 'command' words_found
  elif [[ "$PREFIX" == -* ]]; then
    case "$words[2]" in
@ZSH_OPTIONS@
    esac
    compadd -a words_found
  else
    case "$words[2]" in
      completion) compadd bash zsh ;;
      push|sync|run) _files ;;
      pull|cat|ls|share|note|open)
        words_found=("\${(@f)$("$words[1]" paths "$PREFIX" 2>/dev/null)}")
        compadd -S '' -a words_found ;;
    esac
  fi
}
compdef _codeshelf codeshelf
`;

/** @param {Call} call */
async function completion({ output, words }) {
  const names = Object.keys(COMMANDS).filter((name) => !COMMANDS[name]?.hidden);
  /** @param {string} name */
  const flags = (name) => [
    "--json",
    "--help",
    ...Object.keys(COMMANDS[name]?.options ?? {}).map((flag) => `--${flag}`),
  ];
  const scripts = {
    bash: BASH_COMPLETION.replace("@COMMANDS@", names.join(" ")).replace(
      "@OPTIONS@",
      names.map((name) => `      ${name}) words="${flags(name).join(" ")}" ;;`).join("\n"),
    ),
    zsh: ZSH_COMPLETION.replace(
      "@ZSH_COMMANDS@",
      names.map((name) => `'${name}:${COMMANDS[name]?.summary}'`).join(" "),
    ).replace(
      "@ZSH_OPTIONS@",
      names.map((name) => `      ${name}) words_found=(${flags(name).join(" ")}) ;;`).join("\n"),
    ),
  };
  const script = scripts[/** @type {"bash" | "zsh"} */ (words[0])];
  if (!script) throw usageFailure("There are completions for bash and zsh.");
  if (output.json) output.value({ ok: true, shell: words[0], script });
  else process.stdout.write(script);
  return EXIT.ok;
}

/** What a path of the library may become, for the completions; folders end in a slash. @param {Call} call */
async function paths({ output, words }) {
  const session = await openSession(output);
  const typed = words[0] ?? "";
  const contents = await listContents(session, parseLibraryPath(typed.slice(0, typed.lastIndexOf("/") + 1)), {
    deep: false,
  });
  const found = [
    ...(contents?.folders ?? []).map(({ path }) => `${path}/`),
    ...(contents?.files ?? []).map(({ path }) => path),
  ].filter((path) => path.startsWith(typed) && cleanName(path) === path);
  for (const path of found) output.line(path);
  output.value({ ok: true, paths: found });
  return EXIT.ok;
}

// ---- The table of commands, and the beginning

/**
 * @typedef {{ type: "boolean" | "string", short?: string, help: string, value?: string }} OptionSpec
 * @typedef {{ usage: string, summary: string, words: [least: number, most: number], options?: Record<string, OptionSpec>,
 *   more?: string, takesText?: boolean, hidden?: boolean, act: (call: Call) => Promise<number> }} Command
 */

/** @param {{ usual: number, most: number }} limits */
function describeLimits({ usual, most }) {
  return `${usual} by default, ${most} at most`;
}

/** @type {Record<string, OptionSpec>} */
const WHAT_IS_SKIPPED = {
  all: { type: "boolean", help: "also what .gitignore and .codeshelfignore leave out" },
  verbose: { type: "boolean", short: "v", help: "name what is skipped, and why" },
};

/** @type {Record<string, Command>} */
const COMMANDS = {
  login: {
    usage: "login <address>",
    summary: "Log in to a server with a token",
    words: [1, 1],
    more: "The token is asked for, or read from standard input or from CODESHELF_TOKEN. It is stored where only you can read it.\nCreate one at <address>/settings/tokens.",
    act: login,
  },
  logout: { usage: "logout", summary: "Forget the server and the token", words: [0, 0], act: logout },
  push: {
    usage: "push <paths…>",
    summary: "Save files and whole folders in the library",
    words: [1, Number.POSITIVE_INFINITY],
    options: {
      to: { type: "string", value: "folder", help: "the folder of the library to save them in" },
      name: { type: "string", value: "path", help: "with “-” alone: what to call what is piped in" },
      ...WHAT_IS_SKIPPED,
    },
    more: "Paths are kept as they are seen from the current folder. Of a folder, what .gitignore and .codeshelfignore name, binary files, what tools leave behind and what may hold secrets (.env, *.pem, id_rsa, …) are skipped; a file that is named is saved or refused. Empty folders and the executable bit are not kept.",
    act: push,
  },
  pull: {
    usage: "pull <path> [to]",
    summary: "Copy a file or a folder of the library to this machine",
    words: [1, 2],
    options: {
      force: {
        type: "boolean",
        short: "f",
        help: "replace files that are here and differ, and write those that tools run by themselves (.envrc, hooks, …)",
      },
    },
    act: pull,
  },
  ls: {
    usage: "ls [folder]",
    summary: "List what is in the library",
    words: [0, 1],
    options: {
      recursive: { type: "boolean", short: "r", help: "all that is below the folder" },
      long: { type: "boolean", short: "l", help: "with sizes in bytes and dates" },
    },
    act: list,
  },
  cat: { usage: "cat <path>", summary: "Print a file of the library", words: [1, 1], act: cat },
  search: {
    usage: "search <words…>",
    summary: "Search files, notes and mirrors",
    words: [1, Number.POSITIVE_INFINITY],
    options: {
      in: { type: "string", value: "kinds", help: "files, notes, repos, or several with commas" },
      limit: { type: "string", value: "number", help: "how many hits, up to 50" },
    },
    more: "lang:py, tag:work, path:src/ and -word narrow the search.",
    takesText: true,
    act: search,
  },
  run: {
    usage: "run <file> [arguments…]",
    summary: "Run a Python, JavaScript or TypeScript file in the sandbox of the server",
    words: [1, Number.POSITIVE_INFINITY],
    options: {
      input: {
        type: "string",
        value: "file",
        help: "what the program reads; by default what is piped in, and - for the terminal",
      },
      timeout: {
        type: "string",
        value: "seconds",
        help: `how long it may take; ${describeLimits(RUN_LIMITS.timeout)}`,
      },
      memory: {
        type: "string",
        value: "MB",
        help: `how much memory it may use; ${describeLimits(RUN_LIMITS.memory)}`,
      },
    },
    more: "The file is one of this machine, or of the library if there is none here. Its output is printed as it comes, and the exit code is that of the program.\nCtrl-C stops the program. Arguments that begin with a dash follow “--”.",
    act: run,
  },
  share: {
    usage: "share <path>",
    summary: "Create a link to a file or a folder and print it",
    words: [1, 1],
    options: {
      days: { type: "string", value: "number", help: "how long the link works; 7 by default" },
      permanent: { type: "boolean", help: "the link never expires" },
      password: {
        type: "boolean",
        help: "ask for a password that readers need (or read it from standard input)",
      },
      lines: { type: "string", value: "4-8", help: "these lines alone" },
      views: { type: "string", value: "number", help: "how often it can be opened" },
      preview: { type: "boolean", help: "the first lines alone" },
      follow: { type: "boolean", help: "of a folder: show it as it is when the link is opened" },
    },
    act: share,
  },
  note: {
    usage: "note <file>[:line] <text…>",
    summary: "Put a note on a file or on one of its lines",
    words: [2, Number.POSITIVE_INFINITY],
    takesText: true,
    act: note,
  },
  sync: {
    usage: "sync <folder>",
    summary: "Keep a folder here and one in the library the same",
    words: [1, 1],
    options: {
      to: {
        type: "string",
        value: "folder",
        help: "the folder of the library; by default the one with the same name; / for the whole library",
      },
      watch: { type: "boolean", short: "w", help: "go on until you press Ctrl-C" },
      interval: {
        type: "string",
        value: "seconds",
        help: "how often --watch asks the server; 15 by default",
      },
      "dry-run": { type: "boolean", short: "n", help: "say what would be done, and do nothing" },
      force: {
        type: "boolean",
        short: "f",
        help: "also write files that tools run by themselves (.envrc, hooks, …)",
      },
      ...WHAT_IS_SKIPPED,
    },
    more: "What was changed on one side is changed on the other. A file changed on both sides is kept beside as “name (conflict …)”.\nWhat was deleted on one side is deleted on the other if nobody changed it there; the library keeps it in the trash for 30 days.\nEmpty folders and the executable bit are not kept.",
    act: sync,
  },
  open: {
    usage: "open [path]",
    summary: "Open the page of a file or a folder, and print its address",
    words: [0, 1],
    options: { print: { type: "boolean", help: "print the address alone" } },
    act: openPage,
  },
  completion: {
    usage: "completion bash|zsh",
    summary: "Print a completion script",
    words: [1, 1],
    more: 'In ~/.bashrc or ~/.zshrc: eval "$(codeshelf completion bash)"',
    act: completion,
  },
  paths: {
    usage: "paths [beginning]",
    summary: "List paths for a completion",
    words: [0, 1],
    hidden: true,
    act: paths,
  },
};

/** @type {Record<string, OptionSpec>} */
const COMMON_OPTIONS = {
  json: { type: "boolean", help: "print one line of JSON for programs" },
  help: { type: "boolean", short: "h", help: "show this help" },
};

const EXIT_HELP = `Exit codes:
  0  done
  1  refused by the server, or failed
  2  not understood
  3  not logged in, or the token is no longer valid
  4  the server cannot be reached
  run ends with the exit code of the program.`;

function describeAll() {
  const shown = Object.values(COMMANDS).filter(({ hidden }) => !hidden);
  const width = Math.max(...shown.map(({ usage }) => usage.length));
  const rows = shown.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`);
  return `Usage: codeshelf <command>

${rows.join("\n")}

codeshelf <command> --help says more. --json works everywhere.

${EXIT_HELP}`;
}

/** @param {Command} command */
function describeCommand({ usage, summary, options, more }) {
  const all = Object.entries({ ...options, ...COMMON_OPTIONS }).map(([name, { short, value, help }]) => [
    `${short ? `-${short}, ` : "    "}--${name}${value ? ` <${value}>` : ""}`,
    help,
  ]);
  const width = Math.max(...all.map(([flag = ""]) => flag.length));
  const rows = all.map(([flag = "", help]) => `  ${flag.padEnd(width)}  ${help}`);
  return [`Usage: codeshelf ${usage}`, `${summary}.`, more, rows.join("\n")].filter(Boolean).join("\n\n");
}

/**
 * Where text is typed, a word may begin with a dash: what is no option of the command is a word of the text.
 * @param {string[]} given @param {Record<string, OptionSpec>} specs
 */
function separateText(given, specs) {
  if (given.length === 1 && given[0] === "-h") return given;
  const [options, text] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  for (let i = 0; i < given.length; i += 1) {
    const word = given[i] ?? "";
    if (word === "--") return [...options, "--", ...text, ...given.slice(i + 1)];
    const [, name = "", value] = /^--([a-z-]+)(=.*)?$/s.exec(word) ?? [];
    if (!Object.hasOwn(specs, name)) text.push(word);
    else if (specs[name]?.type === "boolean" || value !== undefined) options.push(word);
    else {
      options.push(word, given[i + 1] ?? "");
      i += 1;
    }
  }
  return [...options, "--", ...text];
}

/** @param {Command} command @param {string[]} given */
function parseCall(command, given) {
  const specs = { ...command.options, ...COMMON_OPTIONS };
  const args = command.takesText ? separateText(given, specs) : given;
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short }]) => [name, short ? { type, short } : { type }]),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { words: positionals, options: /** @type {OptionValues} */ (values) };
  } catch (error) {
    throw usageFailure(messageFrom(error).split(". To specify")[0] ?? "");
  }
}

/**
 * What other tools call our commands.
 *
 * @type {Record<string, string>}
 */
const OTHER_NAMES = {
  ...{ list: "ls", dir: "ls", files: "ls", save: "push", upload: "push", add: "push", put: "push" },
  ...{ download: "pull", get: "pull", show: "cat", read: "cat", find: "search", grep: "search" },
};

/** @param {string} name */
const suggestCommand = (name) =>
  Object.hasOwn(OTHER_NAMES, name) ? ` Did you mean ${OTHER_NAMES[name]}?` : "";

/** @param {string[]} given @param {Output} output */
async function start([name, ...rest], output) {
  if (name === "--version" || name === "-v") {
    process.stdout.write(output.json ? `${toJsonLine({ version: VERSION })}\n` : `${VERSION}\n`);
    return EXIT.ok;
  }
  if (name === "help" && rest[0] !== undefined) return start([rest[0], "--help"], output);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(`${describeAll()}\n`);
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command)
    throw usageFailure(
      `There is no command “${cleanName(name)}”.${suggestCommand(name)} See: ${describeStart()} --help`,
    );
  const { words, options } = parseCall(command, rest);
  if (options.help) {
    process.stdout.write(`${describeCommand(command)}\n`);
    return EXIT.ok;
  }
  const [least, most] = command.words;
  if (words.length < least || words.length > most) throw usageFailure(`Usage: codeshelf ${command.usage}`);
  return command.act({ output, words, options });
}

/** What Ctrl-C does instead of ending this command. @type {(() => void) | null} */
let interrupt = null;

/** Leaves nothing half-written behind. @param {number} exitCode */
function stopAtOnce(exitCode) {
  for (const file of temporaryFiles) rmSync(file, { force: true });
  if (process.stdin.isTTY) process.stdin.setRawMode(false);
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  process.exit(exitCode);
}

async function main() {
  const given = process.argv.slice(2);
  const end = given.indexOf("--");
  const output = new Output(given.slice(0, end === -1 ? given.length : end).includes("--json"));
  process.on("SIGINT", () => {
    const stop = interrupt ?? (() => stopAtOnce(EXIT.interrupted));
    // Whoever presses it again does not wait for the server.
    interrupt = null;
    stop();
  });
  process.on("SIGTERM", () => stopAtOnce(143));
  // Whoever reads the output may stop reading, as head does.
  process.stdout.on("error", () => stopAtOnce(EXIT.ok));
  try {
    process.exitCode = await start(given, output);
  } catch (error) {
    const known = error instanceof Failure ? error : failure("unexpected", messageFrom(error));
    output.value({ ok: false, ...known.context, code: known.code, message: known.message });
    output.remark(paint("red", `codeshelf: ${known.message}`, process.stderr));
    process.exitCode = known.exitCode;
  }
  output.clearProgress();
}

await main();
