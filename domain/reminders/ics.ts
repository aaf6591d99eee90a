import { type Feed, type FeedItem, writeTitle } from "./reminder-feed.ts";

/**
 * Writes reminders as a calendar (RFC 5545). A reminder is an event without duration, under one UID for the life of its note,
 * with an alarm while it is pending. Removed reminders are no longer listed: a subscribed calendar shows the last reading.
 */
const LINE_MAX_OCTETS = 75;
const LINE_END = "\r\n";
const encoder = new TextEncoder();

export function toIcsCalendar(feed: Feed, items: readonly FeedItem[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Codeshelf//Reminders//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${escapeIcsText(feed.title)}`,
    `X-WR-CALNAME:${escapeIcsText(feed.title)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
    "X-PUBLISHED-TTL:PT15M",
    ...items.flatMap(toIcsEvent),
    "END:VCALENDAR",
  ];
  return lines.map((line) => foldLine(line) + LINE_END).join("");
}

function toIcsEvent(item: FeedItem): string[] {
  return [
    "BEGIN:VEVENT",
    `UID:reminder-${item.note_id}@codeshelf`,
    `DTSTAMP:${toUtc(item.changed_at)}`,
    `LAST-MODIFIED:${toUtc(item.changed_at)}`,
    `SEQUENCE:${toSequence(item.changed_at)}`,
    `DTSTART:${toUtc(item.remind_at)}`,
    `SUMMARY:${escapeIcsText(writeTitle(item))}`,
    `DESCRIPTION:${escapeIcsText(item.text)}`,
    `URL:${item.url}`,
    "STATUS:CONFIRMED",
    "TRANSP:TRANSPARENT",
    "CLASS:PRIVATE",
    ...(item.status === "pending" ? toIcsAlarm(item) : []),
    "END:VEVENT",
  ];
}

const toIcsAlarm = (item: FeedItem) => [
  "BEGIN:VALARM",
  "ACTION:DISPLAY",
  `DESCRIPTION:${escapeIcsText(item.title)}`,
  "TRIGGER:PT0S",
  "END:VALARM",
];

const toUtc = (moment: Date) => moment.toISOString().replace(/[-:]|\.\d+/g, "");

// Grows with every change and fits into 31 bits until 2088.
const SEQUENCE_BEGAN_MS = Date.UTC(2020, 0, 1);
const toSequence = (changedAt: Date) =>
  Math.max(0, Math.floor((changedAt.getTime() - SEQUENCE_BEGAN_MS) / 1000));

/** Escapes separators, joins lines by `\n` and drops control characters, which the format does not allow. */
export function escapeIcsText(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\\;,]/g, "\\$&")
      .replace(/\r\n|[\r\n\u2028\u2029]/g, "\\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
  );
}

/** Folds a line to at most 75 octets without cutting a character. A line that begins with a space continues the one before. */
export function foldLine(line: string): string {
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > LINE_MAX_OCTETS) {
      folded += `${LINE_END} `;
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
