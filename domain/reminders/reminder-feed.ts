import type { ReminderStatus } from "./reminder-state.ts";

/** A reminder in a feed, independent of the format. */
export type FeedItem = {
  note_id: string;
  title: string;
  /** An excerpt of the note, and the name of its target. */
  text: string;
  /** The note's own page. */
  url: string;
  remind_at: Date;
  status: ReminderStatus;
  /** The last change of the reminder or its note. */
  changed_at: Date;
};

export type Feed = { id: string; title: string; url: string; made_at: Date };

const SECRET = /^[\w-]{43}$/;
const EXCERPT_MAX = 500;

export const isFeedSecret = (text: string): boolean => SECRET.test(text);

/** Returns the beginning of a note, with "…" if it was cut. */
export function toExcerpt(content: string): string {
  const points = [...content];
  return points.length > EXCERPT_MAX ? `${points.slice(0, EXCERPT_MAX).join("")}…` : content;
}

export const writeTitle = ({ title, status }: FeedItem): string =>
  status === "acknowledged" ? `✓ ${title}` : title;
