import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readBackupName } from "#domain/backups/backup-schedule.ts";

type BackupFile = { name: string; created_at: Date; bytes: number };

/** The backups in a directory, newest first. Files that are not ours are left out. */
export async function listBackups(directory: string): Promise<BackupFile[]> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  const found = names.flatMap((name) => {
    const created_at = readBackupName(name);
    return created_at ? [{ name, created_at }] : [];
  });
  const backups = await Promise.all(
    found.map(async (backup) => ({ ...backup, bytes: (await stat(join(directory, backup.name))).size })),
  );
  return backups.sort((one, other) => other.created_at.getTime() - one.created_at.getTime());
}

/** Removes all but the newest, and answers how many. */
export async function removeOldBackups(directory: string, keep: number): Promise<number> {
  const old = (await listBackups(directory)).slice(keep);
  for (const { name } of old) await rm(join(directory, name), { force: true });
  return old.length;
}
