import { HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";

/** When backups are made, what they are called, and when somebody has to look. */
export type BackupSchedule = { everyMs: number; keep: number };

/** The clock of jobs has a step of an hour: without this a daily backup would come an hour later each day. */
const SLACK_MS = 30 * MINUTE_MS;
const NAME = /^codeshelf-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.tar\.zst$/;

export function isBackupDue(newestAt: Date | null, everyMs: number, now: Date): boolean {
  return newestAt === null || now.getTime() - newestAt.getTime() >= everyMs - SLACK_MS;
}

/** Two in a row are missing. Before the first one, the time counts from the start of the worker. */
export function isBackupLate(newestAt: Date | null, since: Date, everyMs: number, now: Date): boolean {
  return now.getTime() - (newestAt ?? since).getTime() > 2 * everyMs + HOUR_MS;
}

/** `codeshelf-2026-11-17T00-30-00Z.tar.zst`: without colons, which some file systems refuse, and sorted by age. */
export function toBackupName(moment: Date): string {
  return `codeshelf-${moment.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar.zst`;
}

/** The moment that a name of ours says, or null for any other file. */
export function readBackupName(name: string): Date | null {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
