import { type Feed, type FeedItem, writeTitle } from "./reminder-feed.ts";

/**
 * Reminders as a calendar (RFC 5545). A reminder is an event at one moment, under one UID for as long as its note lives, with
 * an alarm while it is pending. What is removed is no longer listed: a subscribed calendar shows what the last reading had.
 */
const LINE_MAX_OCTETS = 75;
const LINE_END = "\r\n";
const encoder = new TextEncoder();

export function writeCalendar(feed: Feed, items: readonly FeedItem[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Codeshelf//Reminders//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${textValue(feed.title)}`,
    `X-WR-CALNAME:${textValue(feed.title)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
    "X-PUBLISHED-TTL:PT15M",
    ...items.flatMap(writeEvent),
    "END:VCALENDAR",
  ];
  return lines.map((line) => foldLine(line) + LINE_END).join("");
}

function writeEvent(item: FeedItem): string[] {
  return [
    "BEGIN:VEVENT",
    `UID:reminder-${item.note_id}@codeshelf`,
    `DTSTAMP:${utc(item.changed_at)}`,
    `LAST-MODIFIED:${utc(item.changed_at)}`,
    `SEQUENCE:${toSequence(item.changed_at)}`,
    `DTSTART:${utc(item.remind_at)}`,
    `SUMMARY:${textValue(writeTitle(item))}`,
    `DESCRIPTION:${textValue(item.text)}`,
    `URL:${item.url}`,
    "STATUS:CONFIRMED",
    "TRANSP:TRANSPARENT",
    "CLASS:PRIVATE",
    ...(item.status === "pending" ? writeAlarm(item) : []),
    "END:VEVENT",
  ];
}

const writeAlarm = (item: FeedItem) => [
  "BEGIN:VALARM",
  "ACTION:DISPLAY",
  `DESCRIPTION:${textValue(item.title)}`,
  "TRIGGER:PT0S",
  "END:VALARM",
];

const utc = (moment: Date) => moment.toISOString().replace(/[-:]|\.\d+/g, "");

// Grows with every change and stays within 31 bits until 2088.
const SEQUENCE_BEGAN_MS = Date.UTC(2020, 0, 1);
const toSequence = (changedAt: Date) =>
  Math.max(0, Math.floor((changedAt.getTime() - SEQUENCE_BEGAN_MS) / 1000));

/** Text as a value: separators escaped, lines joined by `\n`, control characters, which the format does not know, left out. */
export function textValue(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\\;,]/g, "\\$&")
      .replace(/\r\n|[\r\n\u2028\u2029]/g, "\\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
  );
}

/** No line has more than 75 octets, and none ends inside a character; a line that begins with a space goes on. */
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
