import { type Feed, type FeedItem, writeTitle } from "./reminder-feed.ts";

/**
 * Writes reached reminders as an Atom feed (RFC 4287), the latest first. An entry stands for one time of a reminder: a snoozed
 * reminder becomes a new entry at its new time, so that readers show it again.
 */
export function toAtomFeed(feed: Feed, items: readonly FeedItem[]): string {
  const updated = items.reduce((latest, item) => later(latest, getUpdatedAt(item)), feed.made_at);
  const newestFirst = items.toSorted((a, b) => b.remind_at.getTime() - a.remind_at.getTime());
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${TAG}feed/${feed.id}</id>`,
    `<title>${escapeXml(feed.title)}</title>`,
    `<updated>${updated.toISOString()}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feed.url)}"/>`,
    "<author><name>Codeshelf</name></author>",
    ...newestFirst.map(toAtomEntry),
    "</feed>",
    "",
  ].join("\n");
}

const TAG = "tag:codeshelf,2026:";

function toAtomEntry(item: FeedItem): string {
  return [
    "<entry>",
    `<id>${TAG}reminder/${item.note_id}/${item.remind_at.getTime()}</id>`,
    `<title>${escapeXml(writeTitle(item))}</title>`,
    `<published>${item.remind_at.toISOString()}</published>`,
    `<updated>${getUpdatedAt(item).toISOString()}</updated>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(item.url)}"/>`,
    `<content type="text">${escapeXml(item.text)}</content>`,
    "</entry>",
  ].join("\n");
}

const later = (a: Date, b: Date) => (a > b ? a : b);
const getUpdatedAt = ({ remind_at, changed_at }: FeedItem) => later(remind_at, changed_at);

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for an element or an attribute. Characters that XML does not allow become replacement characters. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
  );
}
