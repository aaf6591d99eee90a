import { JSDOM } from "jsdom";
import { describe, expect, it } from "vitest";
import { toAtomFeed } from "#domain/reminders/atom.ts";
import type { FeedItem } from "#domain/reminders/reminder-feed.ts";
import { itemAt, required } from "#domain/required.ts";

const MADE = new Date("2026-11-14T12:00:00.000Z");
const FEED = {
  id: "f1",
  title: "Dana's <reminders>",
  url: 'https://shelf.example/feeds/x/reminders.atom?"&',
  made_at: MADE,
};
const item = (more: Partial<FeedItem> = {}): FeedItem => ({
  note_id: "5f0000000000000000000001",
  title: "call the bank",
  text: "call the bank\n\nnotes.md",
  url: "https://shelf.example/note/5f0000000000000000000001",
  remind_at: new Date("2026-11-14T13:00:00.000Z"),
  status: "pending",
  changed_at: MADE,
  ...more,
});

const parser = new new JSDOM("").window.DOMParser();

/** Parses with an independent XML parser, which must report no error. */
function parse(xml: string): Document {
  const read = parser.parseFromString(xml, "application/xml");
  expect(read.querySelector("parsererror")).toBeNull();
  return read;
}
const textIn = (node: Element | Document, name: string) => node.getElementsByTagName(name)[0]?.textContent;
const entries = (xml: string) => [...parse(xml).getElementsByTagName("entry")];

describe("an Atom feed of reminders", () => {
  it("has all that a feed and its entries must have", () => {
    const xml = parse(toAtomFeed(FEED, [item()]));
    const feed = xml.documentElement;
    expect([feed.localName, feed.namespaceURI]).toEqual(["feed", "http://www.w3.org/2005/Atom"]);
    expect([...feed.children].map(({ localName }) => localName)).toEqual(
      "id title updated link author entry".split(" "),
    );
    expect(textIn(xml, "title")).toBe(FEED.title);
    expect(required(feed.querySelector("link")).getAttribute("href")).toBe(FEED.url);
    const entry = required(feed.getElementsByTagName("entry")[0]);
    expect(
      Object.fromEntries([...entry.children].map((child) => [child.localName, child.textContent])),
    ).toEqual({
      id: "tag:codeshelf,2026:reminder/5f0000000000000000000001/1794661200000",
      title: "call the bank",
      published: "2026-11-14T13:00:00.000Z",
      updated: "2026-11-14T13:00:00.000Z",
      link: "",
      content: "call the bank\n\nnotes.md",
    });
  });

  it("without an entry was last updated when it was made, else when its latest entry was", () => {
    expect(textIn(parse(toAtomFeed(FEED, [])), "updated")).toBe(MADE.toISOString());
    const done = item({ status: "acknowledged", changed_at: new Date("2026-11-14T15:00:00.000Z") });
    expect(textIn(parse(toAtomFeed(FEED, [item(), done])), "updated")).toBe("2026-11-14T15:00:00.000Z");
    expect(textIn(itemAt(entries(toAtomFeed(FEED, [done])), 0), "title")).toBe("✓ call the bank");
  });

  it("has the latest first, and a reminder that was put off as a new entry", () => {
    const again = item({ remind_at: new Date("2026-11-14T14:00:00.000Z") });
    const listed = entries(toAtomFeed(FEED, [item(), again]));
    expect(listed.map((entry) => textIn(entry, "published"))).toEqual([
      "2026-11-14T14:00:00.000Z",
      "2026-11-14T13:00:00.000Z",
    ]);
    expect(new Set(listed.map((entry) => textIn(entry, "id"))).size).toBe(2);
  });

  it.each([
    ["markup", "<b>&amp;</b> ]]> <!-- \"quoted\" 'too'"],
    ["Hebrew and emoji", "להתקשר לבנק 👩‍👩‍👧‍👦"],
  ])("gives %s back as they were", (_, text) => {
    const entry = itemAt(entries(toAtomFeed(FEED, [item({ title: text, text })])), 0);
    expect([textIn(entry, "title"), textIn(entry, "content")]).toEqual([text, text]);
  });

  it("stays well-formed whatever characters a note has", () => {
    const every = Array.from({ length: 0x110 }, (_, code) => String.fromCharCode(code)).join("");
    const entry = itemAt(entries(toAtomFeed(FEED, [item({ text: `${every}\ud800\ufffe` })])), 0);
    expect(textIn(entry, "content")).toContain("abc");
  });
});
