import { type Feed, type FeedItem, writeTitle } from "./reminder-feed.ts";

/**
 * Reminders whose moment has come, as an Atom feed (RFC 4287), the latest first. An entry is one moment of one reminder: put
 * off, the reminder is a new entry when its new moment comes, so that a reader shows it again.
 */
export function writeAtom(feed: Feed, items: readonly FeedItem[]): string {
  const latest = items.reduce((at, item) => later(at, updatedAt(item)), feed.made_at);
  const newestFirst = items.toSorted((a, b) => b.remind_at.getTime() - a.remind_at.getTime());
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${TAG}feed/${feed.id}</id>`,
    `<title>${xmlText(feed.title)}</title>`,
    `<updated>${latest.toISOString()}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${xmlText(feed.url)}"/>`,
    "<author><name>Codeshelf</name></author>",
    ...newestFirst.map(writeEntry),
    "</feed>",
    "",
  ].join("\n");
}

const TAG = "tag:codeshelf,2026:";

function writeEntry(item: FeedItem): string {
  return [
    "<entry>",
    `<id>${TAG}reminder/${item.note_id}/${item.remind_at.getTime()}</id>`,
    `<title>${xmlText(writeTitle(item))}</title>`,
    `<published>${item.remind_at.toISOString()}</published>`,
    `<updated>${updatedAt(item).toISOString()}</updated>`,
    `<link rel="alternate" type="text/html" href="${xmlText(item.url)}"/>`,
    `<content type="text">${xmlText(item.text)}</content>`,
    "</entry>",
  ].join("\n");
}

const later = (a: Date, b: Date) => (a > b ? a : b);
const updatedAt = ({ remind_at, changed_at }: FeedItem) => later(remind_at, changed_at);

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text inside an element or an attribute; characters that XML does not know are shown as replaced. */
function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
  );
}
