import { describe, expect, it } from "vitest";
import {
  cutPart,
  isOnePart,
  PART_MAX_LENGTH,
  PART_MAX_LINES,
  SHOWN_LINE_MAX,
} from "#domain/text/text-part.ts";

describe("a part of a text", () => {
  it("is all of a text that is short", () => {
    expect(cutPart("a\nb\n", 2)).toEqual({ text: "a\nb\n", first: 1, last: 2, total: 2, hasCutLines: false });
    expect(cutPart("", 1)).toEqual({ text: "", first: 1, last: 0, total: 0, hasCutLines: false });
    expect(isOnePart("a\nb\n")).toBe(true);
  });

  it("ends with its last line, by their number", () => {
    const text = "x\n".repeat(PART_MAX_LINES);
    expect([isOnePart(text), isOnePart(`${text}y`)]).toEqual([true, false]);
    expect(cutPart(`${text}y`, PART_MAX_LINES)).toMatchObject({ first: 1, last: PART_MAX_LINES });
    const last = {
      text: "y",
      first: PART_MAX_LINES + 1,
      last: PART_MAX_LINES + 1,
      total: PART_MAX_LINES + 1,
    };
    expect(cutPart(`${text}y`, PART_MAX_LINES + 1)).toMatchObject(last);
    expect(cutPart(`${text}y`, 999_999)).toMatchObject(last);
    expect(cutPart(`${text}y`, 0)).toMatchObject({ first: 1 });
  });

  it("ends by its length, too, and the parts together are the text", () => {
    const text = `${"x".repeat(999)}\n`.repeat(2_000);
    expect(isOnePart(text)).toBe(false);
    const one = cutPart(text, 1);
    expect(one.text.length).toBeLessThanOrEqual(PART_MAX_LENGTH);
    const two = cutPart(text, one.last + 1);
    expect(two.first).toBe(one.last + 1);
    expect(one.text + two.text).toBe(text);
  });

  it("has long lines up to a bound and never half a character; what is left out counts for no part", () => {
    const long = "😀".repeat(SHOWN_LINE_MAX);
    const { text, hasCutLines, last } = cutPart(`a${long}\nb`, 1);
    expect(text).toBe(`a${"😀".repeat(SHOWN_LINE_MAX / 2 - 1)}…\nb`);
    expect([hasCutLines, last]).toEqual([true, 2]);
  });
});
