import type { Announcement } from "#domain/accounts/announcement.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";

/**
 * Caches the active announcement for a few seconds, so that pages need no query each. A change made through this process shows at once. It
 * never fails: if the store cannot be read, the last value stays.
 */
export type AnnouncementWatch = { current(): Promise<Announcement | null>; forget(): void };

const FRESH_MS = 3 * SECOND_MS;

export function watchAnnouncement(read: () => Promise<Announcement | null>, clock: Clock): AnnouncementWatch {
  let lastValue: Announcement | null = null;
  let latest: { atMs: number; answer: Promise<Announcement | null> } | null = null;

  async function readAgain(): Promise<Announcement | null> {
    try {
      lastValue = await read();
    } catch {
      // The page itself reports problems of the store; a missing banner needs no report.
    }
    return lastValue;
  }

  return {
    current() {
      const nowMs = clock().getTime();
      // The clock can also be set back.
      if (!latest || Math.abs(nowMs - latest.atMs) >= FRESH_MS) latest = { atMs: nowMs, answer: readAgain() };
      return latest.answer;
    },
    forget() {
      latest = null;
    },
  };
}
