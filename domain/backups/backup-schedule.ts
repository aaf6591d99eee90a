import { HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";

export type BackupSchedule = { everyMs: number; keep: number };

/** Jobs start at hourly steps. Without this slack a daily backup would move an hour later each day. */
const SLACK_MS = 30 * MINUTE_MS;
const NAME = /^codeshelf-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.tar\.zst$/;

export function isBackupDue(newestAt: Date | null, everyMs: number, now: Date): boolean {
  return newestAt === null || now.getTime() - newestAt.getTime() >= everyMs - SLACK_MS;
}

/** Late means that two backups in a row are missing. Before the first backup the time counts from the start of the worker. */
export function isBackupLate(newestAt: Date | null, since: Date, everyMs: number, now: Date): boolean {
  return now.getTime() - (newestAt ?? since).getTime() > 2 * everyMs + HOUR_MS;
}

/** Names contain no colons, which some file systems refuse, and sort by age. */
export function toBackupName(moment: Date): string {
  return `codeshelf-${moment.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar.zst`;
}

/** Returns null for a file that is no backup. */
export function parseBackupName(name: string): Date | null {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  const moment = new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}
