import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { newToken } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { readError } from "#platform/read-error.ts";
import { lowerPriority } from "./priority.ts";
import { childCommand, type Making, NO_ENVIRONMENT, OWN_FILES, PYODIDE, type ReadyMade } from "./program.ts";

/**
 * What a process needs to have Python at once, kept on disk: the interpreter's memory after it has started, and the machine
 * code of what programs use of it. The names are made of everything that the files depend on, so that a new version of
 * anything finds none and makes its own. A file is written whole under another name and renamed: two that start at once
 * both get a good one.
 */
const MAKE_WITHIN_MS = 120_000;

/** In the background the snapshot is made at a low priority: nobody waits for it yet. An abort ends all making. */
type Manner = { background: boolean; signal: AbortSignal; log: Log };

/** Comes with the snapshot. The code may be added later, when `coded` has come: no program waits for it. */
export async function openReadyMade(directory: string, manner: Manner) {
  const { background, signal, log } = manner;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = nameOfThese();
  const [memory, code] = [join(directory, `${name}.snapshot`), join(directory, `${name}.code`)];
  const snapshot =
    openIfThere(memory) ??
    (await made(memory, (draft) => make("snapshot", [draft, "ignore"], { background, signal })));
  const readyMade: ReadyMade = { snapshot, code: openIfThere(code) };
  const addCode = async () => {
    try {
      readyMade.code ??= await made(code, (draft) =>
        make("code", [snapshot, draft], { background: true, signal }),
      );
      removeOthers(directory, name);
    } catch (error) {
      if (!signal.aborted) log.warn("sandbox_code_not_made", { error });
    }
  };
  return { readyMade, coded: addCode() };
}

function nameOfThese(): string {
  const hash = createHash("sha256").update(`${process.version} ${process.arch} ${cpus()[0]?.model}`);
  hash.update(JSON.stringify(childCommand([], { make: null, account: null })));
  for (const path of [...OWN_FILES, join(PYODIDE, "package.json")]) hash.update(readFileSync(path));
  return `python-${hash.digest("hex").slice(0, 32)}`;
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if (readError(error).code !== "ENOENT") throw error;
    return null;
  }
}

async function made(path: string, fill: (draft: number) => Promise<void>): Promise<number> {
  const draft = `${path}.${process.pid}.${newToken(6)}`;
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

async function make(
  what: Making,
  files: (number | "ignore")[],
  { background, signal }: Omit<Manner, "log">,
): Promise<void> {
  const [command, words] = childCommand([], { make: what, account: null });
  const maker = spawn(command, words, {
    stdio: ["pipe", "ignore", "pipe", "ignore", ...files],
    env: NO_ENVIRONMENT,
    cwd: "/",
    timeout: MAKE_WITHIN_MS,
    killSignal: "SIGKILL",
    signal,
  });
  if (background) lowerPriority(maker.pid);
  let said = "";
  maker.stderr?.on("data", (chunk) => {
    said = (said + chunk).slice(-2_000);
  });
  const [code, ending] = await once(maker, "close");
  if (code !== 0) throw new Error(`Python's ${what} could not be made (${code ?? ending}): ${said}`);
}

function removeOthers(directory: string, name: string): void {
  for (const other of readdirSync(directory))
    if (/^python-\w+\.(snapshot|code)$/.test(other) && !other.startsWith(name))
      rmSync(join(directory, other), { force: true });
}
