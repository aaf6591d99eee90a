import { describe, expect, it } from "vitest";
import { findHeadingsWithIds } from "#domain/notes/headings.ts";
import { createAnchor, splitLines } from "#domain/notes/note-anchor.ts";
import {
  type Anchored,
  type AnchoredNote,
  createPlacedAnchor,
  isAnchored,
  locateByAnchors,
  locateNotesInTexts,
} from "#domain/notes/note-locating.ts";
import { required } from "#domain/required.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

const LINES = 100_000;
const NOTES = 50;

/** A hostile text whose lines are similar and repeated; equal seeds give equal texts. */
function text(seed: number, words: readonly string[]): string {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return words[Math.floor(state / 65_536) % words.length];
  };
  return Array.from({ length: LINES }, () => `${next()} ${next()} ${next()}`).join("\n");
}

function noteOn(body: string[], line_start: number, line_end: number): AnchoredNote {
  const span = { line_start, line_end };
  return {
    ...span,
    anchor_id: null,
    anchor_text: null,
    anchor: { ...required(createAnchor(body, span, 1)), place: span },
  };
}

const TEXTS: [name: string, words: string[]][] = [
  ["three words in every order", ["one", "two", "three"]],
  ["one line again and again", ["same"]],
  ["many words", Array.from({ length: 500 }, (_, i) => `word${i}`)],
];

it.each(TEXTS)(
  "fifty notes on a text of 100,000 lines that was replaced by another are located within seconds: %s",
  async (_, words) => {
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
      places = locateNotesInTexts({ texts, version: 2, notes }).length;
    });
    expect(places).toBe(NOTES);
    // With 300,000 lines it once took 31 seconds.
    expect(ms).toBeLessThan(3_000);
  },
);

it("a long note over most of a text with one repeated line is located within seconds", async () => {
  const body = "a b c\n".repeat(LINES);
  const lines = splitLines(body);
  const notes = [noteOn(lines, 1, LINES / 2), noteOn(lines, 1_000, LINES - 1_000)];
  const texts = new Map([
    [1, body],
    [2, `x\n${body}`],
  ]);
  const ms = await ownProcessorMs(() =>
    expect(locateNotesInTexts({ texts, version: 2, notes })).toHaveLength(notes.length),
  );
  expect(ms).toBeLessThan(3_000);
});

describe("headings", () => {
  it("are read in time that grows with the text alone", async () => {
    const hostile = [`# a${" ".repeat(500_000)}b`, `# ${"[".repeat(500_000)}`, `# ${"#".repeat(500_000)}x`];
    const ms = await ownProcessorMs(() => expect(findHeadingsWithIds(hostile)).toHaveLength(3));
    expect(ms).toBeLessThan(2_000);
  });

  it("may be closed by hashes, and a note is found on one by its words", () => {
    const headings = findHeadingsWithIds(["# a b ##", "## c#", "#", "#d", "# # #"]);
    expect(headings.map((heading) => heading.text)).toEqual(["a b", "c#", "", "#"]);
    const fields = { line_start: null, line_end: null, anchor_id: "nowhere", anchor_text: "a b" };
    const anchor = createPlacedAnchor({ body: "x\n# a b ##\n", fields, version: 1 });
    expect(anchor?.place).toEqual({ line_start: 2, line_end: 2 });
  });
});

const NOWHERE: Anchored = { line_start: null, line_end: null, anchor_id: null, anchor_text: null };
const LOST = { state: "lost", line_start: null, line_end: null, anchor_id: null };
const GUIDE = "# Guide\n\nWelcome.\n\n## Install\n\nRun npm install.\n\n## Usage\n\nRun npm start.\n";
const INSTALL = { anchor_id: "install", anchor_text: "Install" };
const USAGE = { anchor_id: "usage", anchor_text: "Usage" };

const putOn = (body: string, fields: Partial<Anchored>): AnchoredNote => ({
  ...NOWHERE,
  ...fields,
  anchor: createPlacedAnchor({ body, fields: { ...NOWHERE, ...fields }, version: 1 }),
});

function follow(fields: Partial<Anchored>, now: string) {
  const texts = new Map([
    [1, GUIDE],
    [2, now],
  ]);
  return locateNotesInTexts({ texts, version: 2, notes: [putOn(GUIDE, fields)] })[0];
}

describe("a note", () => {
  it("is anchored by a line, a heading's id or a heading's words", () => {
    const fields = [{}, { line_start: 1 }, { anchor_id: "a" }, { anchor_text: "A" }];
    expect(fields.map((fields) => isAnchored({ ...NOWHERE, ...fields }))).toEqual([false, true, true, true]);
  });

  it.each([
    ["on one line", { line_start: 3 }, { line_start: 3, line_end: 3 }],
    ["on lines", { line_start: 3, line_end: 5 }, { line_start: 3, line_end: 5 }],
    [
      "on a heading by its id, whatever its words",
      { ...USAGE, anchor_text: "Install" },
      { line_start: 9, line_end: 9 },
    ],
    ["on a heading that is not there", { anchor_id: "no", anchor_text: "No" }, undefined],
    ["on lines that are not there", { line_start: 12 }, undefined],
  ])("%s remembers its place", (_, fields, place) => {
    expect(putOn(GUIDE, fields).anchor?.place).toEqual(place);
  });

  it("is on no heading where two have its words and none its id", () => {
    const fields = { anchor_id: "gone", anchor_text: "Usage" };
    expect(putOn("## Usage\n\n## Usage\n", fields).anchor).toBeNull();
  });

  const OTHER = "# Guide\n\n## Other\n\nNew text here.\n\n### Install\n\nWith yarn.\n";
  it.each([
    ["stays on a heading that did not change", INSTALL, `${GUIDE}\nMore.`, "same 5 install"],
    ["moves with its heading", USAGE, GUIDE.replace("Welcome.", "Welcome.\n\nHello."), "moved 11 usage"],
    ["moves if its heading gets another id", USAGE, GUIDE.replace("Welcome.", "## Usage"), "moved 9 usage-1"],
    ["moves to the only heading with its words", INSTALL, OTHER, "moved 7 install"],
    ["stays beside a reworded heading", USAGE, GUIDE.replace("Usage", "Usage now"), "changed 9 usage-now"],
  ])("%s", (_, fields, now, place) => {
    const [state, line, anchor_id] = place.split(" ");
    expect(follow(fields, now)).toEqual({
      ...{ state, line_start: Number(line), line_end: Number(line), anchor_id },
      ...{ from_version: 1, version: 2 },
    });
  });

  it("is lost with its heading, and where two others have its words", () => {
    const lost = { ...LOST, from_version: 1, version: 2 };
    expect(follow(INSTALL, "nothing\n")).toEqual(lost);
    expect(follow(INSTALL, "x\n\n### Install\n\ny\n\n### Install\n\nz\n")).toEqual(lost);
  });

  it("on lines keeps the heading it names until the lines are lost", () => {
    const fields = { line_start: 7, anchor_id: "install" };
    expect(follow(fields, GUIDE)).toMatchObject({ state: "same", line_start: 7, anchor_id: "install" });
    expect(follow(fields, "nothing\n")).toEqual({ ...LOST, from_version: 1, version: 2 });
  });

  it("is where it was put in the version it was put on, and lost where it remembers nothing", () => {
    const notes = [putOn(GUIDE, USAGE), putOn(GUIDE, {})];
    expect(locateNotesInTexts({ texts: new Map(), version: 1, notes })).toEqual([
      { state: "same", line_start: 9, line_end: 9, anchor_id: "usage", from_version: 1, version: 1 },
      { ...LOST, from_version: null, version: 1 },
    ]);
  });

  it("is found by what it remembers where the text it was put on is gone", () => {
    const texts = new Map([
      [1, null],
      [2, `New first line.\n${GUIDE}`],
    ]);
    expect(locateNotesInTexts({ texts, version: 2, notes: [putOn(GUIDE, { line_start: 7 })] })).toMatchObject(
      [{ state: "moved", line_start: 8, line_end: 8 }],
    );
  });
});

describe("from memory alone", () => {
  const anchor = putOn(GUIDE, { line_start: 7 }).anchor;
  const recall = (text: string) => locateByAnchors({ text, version: 4, anchors: [anchor, null] });
  const placed = (state: string, line: number) => ({
    ...{ state, line_start: line, line_end: line },
    ...{ anchor_id: null, from_version: 1, version: 4 },
  });

  it("a note is the same while its lines and those around it are where they were", () => {
    const nothing = { ...LOST, from_version: null, version: 4 };
    expect(recall(GUIDE)).toEqual([placed("same", 7), nothing]);
    expect(recall(`New first line.\n${GUIDE}`)).toEqual([placed("moved", 8), nothing]);
    expect(recall("nothing\n")).toEqual([{ ...LOST, from_version: 1, version: 4 }, nothing]);
  });

  it("a note on more lines than it remembers is not taken for the same", () => {
    const long = Array.from({ length: 201 }, (_, i) => `line ${i}`).join("\n");
    const anchored = putOn(long, { line_start: 1, line_end: 201 }).anchor;
    expect(anchored?.quote).toEqual([]);
    expect(locateByAnchors({ text: long, version: 2, anchors: [anchored] })).toMatchObject([
      { state: "lost" },
    ]);
  });
});
