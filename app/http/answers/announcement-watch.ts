import type { Announcement } from "#domain/accounts/announcement.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";

/**
 * The active announcement as this process last saw it, a few seconds old at most: pages show it without asking the database
 * each time. A change made through this process is seen at once. It never fails: where the store cannot be read, the last value stays.
 */
export type AnnouncementWatch = { current(): Promise<Announcement | null>; forget(): void };

const FRESH_MS = 3 * SECOND_MS;

export function watchAnnouncement(read: () => Promise<Announcement | null>, clock: Clock): AnnouncementWatch {
  let seen: Announcement | null = null;
  let latest: { atMs: number; answer: Promise<Announcement | null> } | null = null;

  async function look(): Promise<Announcement | null> {
    try {
      seen = await read();
    } catch {
      // The page itself reports problems of the store; a missing banner needs no report.
    }
    return seen;
  }

  return {
    current() {
      const nowMs = clock().getTime();
      // A clock may also be set back.
      if (!latest || Math.abs(nowMs - latest.atMs) >= FRESH_MS) latest = { atMs: nowMs, answer: look() };
      return latest.answer;
    },
    forget() {
      latest = null;
    },
  };
}
