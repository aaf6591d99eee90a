/**
 * The directory of all data on this machine. One process owns it at a time; its lock names the process by pid and start time,
 * so neither a crash nor a reused pid locks out the next one.
 */
import { mkdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "#db/local/processes/server-process.ts";
import { takeLock } from "#platform/install/process-lock.mjs";
import { PROJECT_ROOT } from "#platform/project-root.ts";

export class DataDirectoryInUse extends Error {
  readonly pid: number;

  constructor(directory: string, pid: number) {
    super(`${directory} is already in use by process ${pid}.`);
    this.pid = pid;
  }
}

/** Returns DATA_DIR as an absolute path; a relative one starts at the project's root, independent of the working directory. */
export function resolveDataDirectory(env: Environment): string {
  const directory = env.DATA_DIR || ".data";
  return isAbsolute(directory) ? directory : resolve(PROJECT_ROOT, directory);
}

/** Creates the directory, accessible only to its owner, and locks it until `release`. Throws DataDirectoryInUse. */
export function lockDataDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(directory, "lock"));
  if (lock.owner) throw new DataDirectoryInUse(directory, lock.owner.pid);
  return lock;
}
