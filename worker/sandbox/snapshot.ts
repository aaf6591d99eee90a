import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { newToken } from "#platform/ids.ts";
import { lowerPriority } from "./child-process.ts";
import { childCommand, NO_ENVIRONMENT, OWN_FILES, PYODIDE } from "./program.ts";

/**
 * The interpreter's memory after it has started, kept on disk: restoring it takes a tenth of the time of starting. Its name
 * is made of everything it depends on, so that a new version of anything finds no snapshot and makes its own. It is written
 * whole under another name and renamed: two that start at once both get a good one.
 */
const SUFFIX = ".snapshot";
const MAKE_WITHIN_MS = 120_000;

/** In the background it is made at a low priority: nobody waits for it yet. An abort ends the making. */
export type Making = { background: boolean; signal: AbortSignal };

/** A descriptor of the snapshot, open for reading. */
export async function openSnapshot(directory: string, making: Making): Promise<number> {
  const path = join(directory, snapshotName());
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  await makeSnapshot(path, making);
  removeOthers(directory);
  return openSync(path, "r");
}

function snapshotName(): string {
  const hash = createHash("sha256").update(process.version).update(process.arch);
  hash.update(JSON.stringify(childCommand([], { makeSnapshot: true, account: null })[1].at(-1)));
  for (const path of [...OWN_FILES, join(PYODIDE, "package.json")]) hash.update(readFileSync(path));
  return `python-${hash.digest("hex").slice(0, 32)}${SUFFIX}`;
}

async function makeSnapshot(path: string, making: Making): Promise<void> {
  const draft = `${path}.${process.pid}.${newToken(6)}`;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    await runMaker(descriptor, making);
    renameSync(draft, path);
  } finally {
    closeSync(descriptor);
    rmSync(draft, { force: true });
  }
}

async function runMaker(descriptor: number, { background, signal }: Making): Promise<void> {
  const [command, words] = childCommand([], { makeSnapshot: true, account: null });
  const maker = spawn(command, words, {
    stdio: ["pipe", "ignore", "pipe", "ignore", descriptor],
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
  if (code !== 0) throw new Error(`The Python snapshot could not be made (${code ?? ending}): ${said}`);
}

function removeOthers(directory: string): void {
  const current = snapshotName();
  for (const name of readdirSync(directory))
    if (name.endsWith(SUFFIX) && name !== current) rmSync(join(directory, name), { force: true });
}
