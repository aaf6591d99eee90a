import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { listUncommonWords } from "#domain/text/common-words.ts";
import { escapeHtml } from "#domain/text/escape-html.ts";
import { firstLines } from "#domain/text/first-lines.ts";
import { countCommon, measureLikeness } from "#domain/text/likeness.ts";
import { formatRange, parseLineRange } from "#domain/text/line-range.ts";
import { detectDirection } from "#domain/text/text-direction.ts";
import {
  cutPart,
  fitsOnePart,
  PART_MAX_LENGTH,
  PART_MAX_LINES,
  SHOWN_LINE_MAX,
} from "#domain/text/text-part.ts";
import { unifiedDiff } from "#domain/text/unified-diff.ts";
import { diffWords, type Piece } from "#domain/text/word-diff.ts";

it("lists the words of a line that not every line has", () => {
  expect(listUncommonWords("  RETURN self.total_price + tax2;")).toEqual(["total_price", "tax2"]);
  expect(listUncommonWords("} else if (x) {")).toEqual([]);
  expect(listUncommonWords("let שלום = 1")).toEqual(["שלום", "1"]);
});

it("reads no more of a long line than it needs", () => {
  expect(listUncommonWords(`${" ".repeat(495)}early late`)).toEqual(["early"]);
});

it("escapes what HTML would read as markup or as the end of an attribute", () => {
  expect(escapeHtml(`<b title="it's">&amp;</b>`)).toBe("&lt;b title=&quot;it's&quot;&gt;&amp;amp;&lt;/b&gt;");
});

it.each([
  ["", ""],
  ["a\r\nb\r\n", "a\nb"],
  ["a\nb\nc\nd", "a\nb\nc"],
  ["123456\nx", "1234\nx"],
  ["🐸🐸🐸🐸🐸", "🐸🐸🐸🐸"],
  ["\n\n\n\n", ""],
])("%j begins with %j", (text, wanted) => {
  expect(firstLines(text, { lines: 3, characters: 4 })).toBe(wanted);
});

it("counts a repeated word as often as both lists have it", () => {
  expect(countCommon(["a", "a", "b"], ["a", "a", "a", "c"])).toBe(2);
  expect(countCommon(["a"], ["b"])).toBe(0);
});

it.each([
  [[], [], 1],
  [["a"], [], 0],
  [["a", "b"], ["b", "a"], 1],
  [["a", "b"], ["a", "c"], 0.5],
])("measures %j and %j as %d", (first, second, likeness) => {
  expect(measureLikeness(first, second)).toBe(likeness);
});

it.each([
  ["4", 4, 4],
  ["L4", 4, 4],
  ["4-8", 4, 8],
  ["L8-L4", 4, 8],
  ["9999999", 9_999_999, 9_999_999],
])("reads %s as a range", (text, from, to) => {
  expect(parseLineRange(text)).toEqual({ from, to });
});

it("reads a range from nothing else, and writes it as it can be read", () => {
  for (const text of [null, "", "L", "4-", "-4", "4-8-9", "12345678", " 4", "l4"])
    expect(parseLineRange(text)).toBeNull();
  expect(formatRange({ from: 4, to: 4 })).toBe("4");
  expect(formatRange({ from: 4, to: 8 })).toBe("4-8");
});

it.each([
  ["", "ltr"],
  ["123", "ltr"],
  ["hello שלום", "ltr"],
  ["# 1. שלום hello", "rtl"],
  ["مرحبا", "rtl"],
  ["Привет", "ltr"],
])("takes the direction of %j from its first letter: %s", (text, direction) => {
  expect(detectDirection(text)).toBe(direction);
});

it("looks at the beginning alone", () => {
  expect(detectDirection(`${" ".repeat(499)}ש`)).toBe("rtl");
  expect(detectDirection(`${" ".repeat(500)}ש`)).toBe("ltr");
});

describe("a part of a text", () => {
  it("is all of a text that is short", () => {
    expect(cutPart("a\nb\n", 2)).toEqual({ text: "a\nb\n", first: 1, last: 2, total: 2, hasCutLines: false });
    expect(cutPart("", 1)).toEqual({ text: "", first: 1, last: 0, total: 0, hasCutLines: false });
    expect(fitsOnePart("a\nb\n")).toBe(true);
  });

  it("ends with its last line, by their number", () => {
    const text = "x\n".repeat(PART_MAX_LINES);
    expect([fitsOnePart(text), fitsOnePart(`${text}y`)]).toEqual([true, false]);
    expect(cutPart(`${text}y`, PART_MAX_LINES)).toMatchObject({ first: 1, last: PART_MAX_LINES });
    const after = PART_MAX_LINES + 1;
    const last = { text: "y", first: after, last: after, total: after };
    expect(cutPart(`${text}y`, PART_MAX_LINES + 1)).toMatchObject(last);
    expect(cutPart(`${text}y`, 999_999)).toMatchObject(last);
    expect(cutPart(`${text}y`, 0)).toMatchObject({ first: 1 });
  });

  it("ends by its length, too, and the parts together are the text", () => {
    const text = `${"x".repeat(999)}\n`.repeat(2_000);
    expect(fitsOnePart(text)).toBe(false);
    const part = cutPart(text, 1);
    expect(part.text.length).toBeLessThanOrEqual(PART_MAX_LENGTH);
    const two = cutPart(text, part.last + 1);
    expect(two.first).toBe(part.last + 1);
    expect(part.text + two.text).toBe(text);
  });

  it("has long lines up to a bound and never half a character; what is left out counts for no part", () => {
    const long = "😀".repeat(SHOWN_LINE_MAX);
    const { text, hasCutLines, last } = cutPart(`a${long}\nb`, 1);
    expect(text).toBe(`a${"😀".repeat(SHOWN_LINE_MAX / 2 - 1)}…\nb`);
    expect([hasCutLines, last]).toEqual([true, 2]);
  });
});

const shown = (pieces: Piece[]) => pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join("");

describe("words that differ between two lines", () => {
  it.each([
    ["let total = 1;", "let total = 12;", "let total = [1];", "let total = [12];"],
    ["return a + b", "return a + b + c", "return a + b", "return a + b[ + c]"],
    ["שלום עולם", "שלום לכולם", "שלום [עולם]", "שלום [לכולם]"],
  ])("%s → %s", (before, after, removed, added) => {
    const diff = required(diffWords(before, after));
    expect([shown(diff.removed), shown(diff.added)]).toEqual([removed, added]);
  });

  it.each([
    ["that have nothing in common", "alpha beta", "gamma delta"],
    ["that share only spaces", "a   b", "c   d"],
    ["too long to look at", "x ".repeat(2_000), "x ".repeat(2_001)],
  ])("are not marked on lines %s", (_, before, after) => {
    expect(diffWords(before, after)).toBeNull();
  });
});

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`);

describe("a unified diff", () => {
  it("is empty where nothing changed", () => {
    expect(unifiedDiff("a\n", "a\n")).toBe("");
  });

  it("shows three lines around a change", () => {
    const lines = numbered(9);
    const changed = lines.with(4, "five\n");
    expect(unifiedDiff(lines.join(""), changed.join(""))).toBe(
      "--- before\n+++ after\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  it("puts changes that are near into one hunk, and those that are far into two", () => {
    const lines = numbered(20);
    const near = lines.with(1, "x\n").with(8, "y\n");
    const far = lines.with(1, "x\n").with(9, "y\n");
    const hunks = (text: string) => text.match(/^@@ .* @@$/gm);
    expect(hunks(unifiedDiff(lines.join(""), near.join("")))).toEqual(["@@ -1,12 +1,12 @@"]);
    expect(hunks(unifiedDiff(lines.join(""), far.join("")))).toEqual(["@@ -1,5 +1,5 @@", "@@ -7,7 +7,7 @@"]);
  });

  it("counts from the line before where a side is empty, and says where a last line does not end", () => {
    expect(unifiedDiff("", "a\nb")).toBe(
      "--- before\n+++ after\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
    );
    expect(unifiedDiff("a\n", "")).toBe("--- before\n+++ after\n@@ -1 +0,0 @@\n-a\n");
  });
});
