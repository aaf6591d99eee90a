import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseBackupName } from "#domain/backups/backup-schedule.ts";

type BackupFile = { name: string; created_at: Date; bytes: number };

export async function listBackups(directory: string): Promise<BackupFile[]> {
  const names = existsSync(directory) ? await readdir(directory) : [];
  const candidates = names.flatMap((name) => {
    const created_at = parseBackupName(name);
    return created_at ? [{ name, created_at }] : [];
  });
  const backups = await Promise.all(
    candidates.map(async (backup) => ({ ...backup, bytes: (await stat(join(directory, backup.name))).size })),
  );
  return backups.sort((a, b) => b.created_at.getTime() - a.created_at.getTime());
}

export async function removeOldBackups(directory: string, keep: number): Promise<number> {
  const old = (await listBackups(directory)).slice(keep);
  for (const { name } of old) await rm(join(directory, name), { force: true });
  return old.length;
}
