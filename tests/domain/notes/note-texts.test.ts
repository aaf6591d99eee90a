import { describe, expect, it } from "vitest";
import { chooseTextColor } from "#domain/notes/note-ink.ts";
import { textAt } from "#domain/notes/note-past.ts";
import { toNoteAddress } from "#domain/notes/note-place.ts";
import { diffTexts } from "#domain/text/text-difference.ts";

const toDate = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const text = (content: string, minute: number) => ({ content, updated_at: toDate(minute) });

describe("what a note said at a moment", () => {
  const past = [text("one", 2), text("two", 5)];
  const now = text("three", 9);

  it.each([
    ["the moment a text was kept with", 2, "one"],
    ["a moment at which the note was only moved", 4, "two"],
    ["the present moment", 9, "three"],
    ["a move of the present text", 7, "three"],
    ["before all that is kept", 1, "one"],
  ])("is known for %s", (_, minute, content) => {
    expect(textAt(past, now, toDate(minute), 20)).toBe(content);
  });

  it("is not known once older texts were let go, nor for a moment to come", () => {
    expect(textAt(past, now, toDate(1), 2)).toBeNull();
    expect(textAt(past, now, toDate(2), 2)).toBe("one");
    expect(textAt(past, now, toDate(10), 20)).toBeNull();
  });
});

describe("the ink on a paper of one's own", () => {
  const linear = (channel: number) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

  it("is read on every shade: a contrast of 4.5 at least", () => {
    for (let shade = 0; shade < 256; shade += 1) {
      const paper = linear(shade / 255);
      const ink = chooseTextColor(`#${shade.toString(16).padStart(2, "0").repeat(3)}`) === "dark" ? 0 : 1;
      const ratio = (Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05);
      expect(ratio).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("is the theme's own on the papers of the house", () => {
    expect(chooseTextColor("yellow")).toBeNull();
  });
});

it("the difference of two texts goes line by line and marks the different words", () => {
  const words = (side: string, word: string) => ({
    side,
    pieces: [
      { text: "buy ", changed: false },
      { text: word, changed: true },
      { text: " today", changed: false },
    ],
  });
  expect(diffTexts("same\nbuy milk today", "same\nbuy bread today\nmore")).toEqual([
    { side: "both", pieces: [{ text: "same", changed: false }] },
    words("first", "milk"),
    words("second", "bread"),
    { side: "second", pieces: [{ text: "more", changed: true }] },
  ]);
});

const REPO = { kind: "repo", repo_name: "o/r" } as const;

describe("the place of a note", () => {
  const nowhere = {
    ...{ id: "n", file_id: null, board_id: null, repo_name: null, repo_path: null },
    ...{ line_start: null, line_end: null, anchor_id: null },
  };

  it.each([
    [{ kind: "file", file_id: "f", line_start: 4, line_end: 8 }, "/file/f?L=4-8#note-n"],
    [{ kind: "file", file_id: "f", line_start: 4, line_end: null }, "/file/f?L=4#note-n"],
    [{ kind: "file", file_id: "f" }, "/file/f#note-n"],
    [{ kind: "file", file_id: "f", anchor_id: "plan" }, "/md/f#note-n"],
    [{ kind: "board", board_id: "b" }, "/boards/b#note-n"],
    [{ ...REPO, repo_path: "a b/ש&.ts" }, "/repos/o%2Fr/file?path=a+b%2F%D7%A9%26.ts#note-n"],
    [{ ...REPO, repo_path: "x", line_start: 2, line_end: 3 }, "/repos/o%2Fr/file?path=x&L=2-3#note-n"],
  ] as const)("of %j is %s", (fields, place) => {
    expect(toNoteAddress({ ...nowhere, ...fields })).toBe(place);
  });
});
