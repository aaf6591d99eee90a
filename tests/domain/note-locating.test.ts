import { describe, expect, it } from "vitest";
import { headingsIn } from "#domain/notes/headings.ts";
import { anchorAt, splitLines } from "#domain/notes/note-anchor.ts";
import { type AnchoredNote, locateNotesIn, makeAnchor } from "#domain/notes/note-locating.ts";
import { required } from "#domain/required.ts";
import { ownProcessorMs } from "#tests/support/processor-time.ts";

const LINES = 300_000;
const NOTES = 50;

/** A text whose lines look alike and are there often, as a hostile one has them; always the same for the same seed. */
function text(seed: number, words: readonly string[]): string {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return words[Math.floor(state / 65_536) % words.length];
  };
  return Array.from({ length: LINES }, () => `${next()} ${next()} ${next()}`).join("\n");
}

function noteOn(body: string[], line_start: number, line_end: number): AnchoredNote {
  const place = { line_start, line_end };
  return {
    ...place,
    anchor_id: null,
    anchor_text: null,
    anchor: { ...required(anchorAt(body, place, 1)), place },
  };
}

const TEXTS: [name: string, words: string[]][] = [
  ["three words in every order", ["one", "two", "three"]],
  ["one line again and again", ["same"]],
  ["many words", Array.from({ length: 500 }, (_, i) => `word${i}`)],
];

describe("fifty notes on a text of 300,000 lines that became another such text", () => {
  it.each(TEXTS)("are located within seconds: %s", async (_, words) => {
    const [old, now] = [text(1, words), text(2, words)];
    const lines = splitLines(old);
    const notes = Array.from({ length: NOTES }, (_, i) => {
      const start = 1 + i * Math.floor(LINES / NOTES);
      return noteOn(lines, start, start + (i % 5));
    });
    const texts = new Map([
      [1, old],
      [2, now],
    ]);
    let places = 0;
    const ms = await ownProcessorMs(() => {
      places = locateNotesIn({ texts, version: 2, notes }).length;
    });
    expect(places).toBe(NOTES);
    // It took 31 seconds.
    expect(ms).toBeLessThan(10_000);
  });
});

describe("a long note", () => {
  it("over most of a text of one line again and again is located within seconds", async () => {
    const body = "a b c\n".repeat(LINES);
    const lines = splitLines(body);
    const notes = [noteOn(lines, 1, LINES / 2), noteOn(lines, 1_000, LINES - 1_000)];
    const texts = new Map([
      [1, body],
      [2, `x\n${body}`],
    ]);
    const ms = await ownProcessorMs(() =>
      expect(locateNotesIn({ texts, version: 2, notes })).toHaveLength(notes.length),
    );
    expect(ms).toBeLessThan(10_000);
  });
});

describe("headings", () => {
  it("are read in time that grows with the text alone", async () => {
    const hostile = [`# a${" ".repeat(500_000)}b`, `# ${"[".repeat(500_000)}`, `# ${"#".repeat(500_000)}x`];
    const ms = await ownProcessorMs(() => expect(headingsIn(hostile)).toHaveLength(3));
    expect(ms).toBeLessThan(2_000);
  });

  it("may be closed by hashes, and a note is found on one by its words", () => {
    expect(headingsIn(["# a b ##", "## c#", "#", "#d", "# # #"]).map((heading) => heading.text)).toEqual([
      "a b",
      "c#",
      "",
      "#",
    ]);
    const fields = { line_start: null, line_end: null, anchor_id: "nowhere", anchor_text: "a b" };
    expect(makeAnchor({ body: "x\n# a b ##\n", fields, version: 1 })?.place).toEqual({
      line_start: 2,
      line_end: 2,
    });
  });
});
