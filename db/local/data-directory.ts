/**
 * The directory that holds everything kept on this machine. One process owns it at a time; its lock names that process
 * by pid and start, so neither a crash nor a recycled pid keeps the next one out.
 */
import { mkdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "#db/local/processes/server-process.ts";
import { takeLock } from "#platform/install/process-lock.mjs";
import { PROJECT_ROOT } from "./project-root.ts";

export class DataDirectoryInUse extends Error {
  readonly pid: number;

  constructor(directory: string, pid: number) {
    super(`${directory} is already in use by process ${pid}.`);
    this.pid = pid;
  }
}

/** DATA_DIR as an absolute path; a relative one counts from the project's root, wherever the command was given. */
export function dataDirectoryFrom(env: Environment): string {
  const directory = env.DATA_DIR || ".data";
  return isAbsolute(directory) ? directory : resolve(PROJECT_ROOT, directory);
}

/** Creates the directory for its owner alone and locks it until `release`, or throws DataDirectoryInUse. */
export function takeDataDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = takeLock(join(directory, "lock"));
  if (lock.owner) throw new DataDirectoryInUse(directory, lock.owner.pid);
  return lock;
}
