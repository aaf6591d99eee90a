import type { ReminderStatus } from "./reminder-state.ts";

/** A reminder for calendars and feed readers, whichever format they read. */
export type FeedItem = {
  note_id: string;
  title: string;
  /** What the note says, cut to an excerpt, and where the note is. */
  text: string;
  /** The note's own page. */
  url: string;
  remind_at: Date;
  status: ReminderStatus;
  /** When the reminder or its note was last changed. */
  changed_at: Date;
};

/** The feed itself: what it calls itself, and since when there is one. */
export type Feed = { id: string; title: string; url: string; made_at: Date };

const SECRET = /^[\w-]{43}$/;
const EXCERPT_MAX = 500;

export const isFeedSecret = (text: string): boolean => SECRET.test(text);

/** The beginning of a note, with "…" where more follows. */
export function writeExcerpt(content: string): string {
  const points = [...content];
  return points.length > EXCERPT_MAX ? `${points.slice(0, EXCERPT_MAX).join("")}…` : content;
}

export const writeTitle = ({ title, status }: FeedItem): string =>
  status === "acknowledged" ? `✓ ${title}` : title;
