import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { generateToken } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { readError } from "#platform/read-error.ts";
import { lowerPriority } from "./priority.ts";
import { childCommand, type Making, NO_ENVIRONMENT, OWN_FILES, PYODIDE, type ReadyMade } from "./program.ts";

/**
 * Files that give a process Python at once: the interpreter's memory after its start, and the machine code that programs use.
 * Their names are hashes of everything that they depend on, so a new version of anything makes its own files. A file is written
 * completely under another name and then renamed, so that two processes that start together both get a valid one.
 */
const MAKE_TIMEOUT_MS = 120_000;

/** In the background, the snapshot is made at a low priority because nobody waits for it. An abort ends all making. */
type MakeOptions = { background: boolean; signal: AbortSignal; log: Log };

/** Resolves with the snapshot. The code may follow later, when `coded` resolves, because no program waits for it. */
export async function openOrMakeReadyMade(directory: string, options: MakeOptions) {
  const { background, signal, log } = options;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = createName();
  const [memory, code] = [join(directory, `${name}.snapshot`), join(directory, `${name}.code`)];
  const snapshot =
    openIfPresent(memory) ??
    (await makeFile(memory, (draft) => runMaker("snapshot", [draft, "ignore"], { background, signal })));
  const readyMade: ReadyMade = { snapshot, code: openIfPresent(code) };
  const addCode = async () => {
    try {
      readyMade.code ??= await makeFile(code, (draft) =>
        runMaker("code", [snapshot, draft], { background: true, signal }),
      );
      removeOtherReadyMade(directory, name);
    } catch (error) {
      if (!signal.aborted) log.warn("sandbox_code_not_made", { error });
    }
  };
  return { readyMade, coded: addCode() };
}

function createName(): string {
  const hash = createHash("sha256").update(`${process.version} ${process.arch} ${cpus()[0]?.model}`);
  hash.update(JSON.stringify(childCommand([], { make: null, account: null })));
  for (const path of [...OWN_FILES, join(PYODIDE, "package.json")]) hash.update(readFileSync(path));
  return `python-${hash.digest("hex").slice(0, 32)}`;
}

function openIfPresent(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (readError(error).code !== "ENOENT") throw error;
    return null;
  }
}

async function makeFile(path: string, fill: (draft: number) => Promise<void>): Promise<number> {
  const draft = `${path}.${process.pid}.${generateToken(6)}`;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    await fill(descriptor);
    renameSync(draft, path);
  } finally {
    closeSync(descriptor);
    rmSync(draft, { force: true });
  }
  return openSync(path, "r");
}

async function runMaker(
  what: Making,
  files: (number | "ignore")[],
  { background, signal }: Omit<MakeOptions, "log">,
): Promise<void> {
  const [command, words] = childCommand([], { make: what, account: null });
  const maker = spawn(command, words, {
    stdio: ["pipe", "ignore", "pipe", "ignore", ...files],
    env: NO_ENVIRONMENT,
    cwd: "/",
    timeout: MAKE_TIMEOUT_MS,
    killSignal: "SIGKILL",
    signal,
  });
  if (background) lowerPriority(maker.pid);
  let messages = "";
  maker.stderr?.on("data", (chunk) => {
    messages = (messages + chunk).slice(-2_000);
  });
  const [code, ending] = await once(maker, "close");
  if (code !== 0) throw new Error(`Python's ${what} could not be made (${code ?? ending}): ${messages}`);
}

function removeOtherReadyMade(directory: string, name: string): void {
  for (const other of readdirSync(directory))
    if (/^python-\w+\.(snapshot|code)$/.test(other) && !other.startsWith(name))
      rmSync(join(directory, other), { force: true });
}
