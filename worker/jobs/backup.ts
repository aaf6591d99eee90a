import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { toBackupError } from "#db/backups/backup-error.ts";
import { listBackups, removeOldBackups } from "#db/backups/backup-files.server.ts";
import { createBackup } from "#db/backups/create-backup.ts";
import { isBackupDue, toBackupName } from "#domain/backups/backup-schedule.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { JobHandler } from "#worker/job.ts";

const MEGABYTE = 1_000_000;

/** Makes a backup if one is due or requested, and removes the oldest beyond the limit. */
export const handleBackup: JobHandler<"backup"> = async ({
  services: { backups, clock, log },
  trigger,
  signal,
  report,
  writeLog,
}) => {
  if (!backups) {
    writeLog("BACKUP_DIR is not set: no backups are made");
    return { outcome: "backups_off" };
  }
  const { directory, everyMs, keep, uri, dataDirectory } = backups;
  const now = clock();
  const [newest] = await listBackups(directory);
  if (trigger !== "manual" && !isBackupDue(newest?.created_at ?? null, everyMs, now)) {
    writeLog(`Not due yet: the newest is ${newest?.name}`);
    return { outcome: "backup_not_due" };
  }
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch((error) => {
    throw toBackupError(error, directory);
  });
  const name = toBackupName(now);
  let reportedAt = 0;
  const onProgress = (done: number, total: number) => {
    if (done < total && performance.now() - reportedAt < SECOND_MS) return;
    reportedAt = performance.now();
    const megabytes = { processed_items: toMegabytes(done), total_items: toMegabytes(total) };
    report(megabytes).catch((error) => log.warn("backup_progress_not_reported", { error }));
  };
  const { bytes } = await createBackup({
    uri,
    dataDirectory,
    file: join(directory, name),
    now,
    signal,
    onProgress,
  });
  const removed = await removeOldBackups(directory, keep);
  writeLog(`Wrote ${name}: ${toMegabytes(bytes)} MB of documents; removed ${removed} old backups`);
  return { outcome: "backup_made", name, bytes, removed };
};

const toMegabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE);
