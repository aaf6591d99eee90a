import { isAbsolute, resolve } from "node:path";
import { BackupError } from "#db/backups/backup-error.ts";
import { DataTooNew } from "#db/core/installation/data-version.ts";
import { DataDirectoryInUse } from "#db/local/data-directory.ts";
import { MoveError } from "#db/local/move/move-error.ts";

const REFUSALS = [BackupError, DataDirectoryInUse, DataTooNew, MoveError];

/** Runs a command of an operator. A refusal is one sentence and exits with 1; other errors keep their stack. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof Error && REFUSALS.some((kind) => error instanceof kind))) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** npm runs commands in the project's folder and provides the folder of the call. */
export function resolveInvocationPath(path: string): string {
  return isAbsolute(path) ? path : resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

export const toMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
