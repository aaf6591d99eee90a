import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { folded } from "#domain/search/folded.ts";
import { matchingLine, matchingLines, SHOWN_MAX } from "#domain/search/matching-line.ts";

const shown = (text: string, needle: string) => {
  const line = matchingLine(text, folded(needle));
  return line && [line.number, line.parts.map(({ text, hit }) => (hit ? `[${text}]` : text)).join("")];
};

describe("the matching line", () => {
  it.each([
    ["the first that has it", "one\ntwo\ntwo\n", "TWO", [2, "[two]"]],
    ["shown as it is written, each hit marked", "\tLet x = LET;\n", "let", [1, "\t[Let] x = [LET];"]],
    ["Hebrew", "שלום\nשמירת קובץ", "קובץ", [2, "שמירת [קובץ]"]],
    ["emoji", "a\n🙂🙃🙂", "🙃", [2, "🙂[🙃]🙂"]],
    ["right where a letter folds to more than it was", "İİ title İ", "title", [1, "İİ [title] İ"]],
    ["one for either small sigma", "ΟΔΟΣ", "οδος", [1, "[ΟΔΟΣ]"]],
    ["without the carriage return", "a\r\nbcd\r\n", "bc", [2, "[bc]d"]],
    ["the line a hit begins on, where it goes on over its end", "ab\ncd", "b\nc", [1, "a[b]"]],
    ["none where there is no hit", "abc", "x", null],
  ])("is %s", (_, text, needle, expected) => {
    expect(shown(text, needle)).toEqual(expected);
  });

  it("is cut around the hit, in characters, and says where words are missing", () => {
    const line = required(matchingLine(`${"🙂".repeat(500)}needle${"ש".repeat(500)}`, "needle"));
    const [before, skipped, hit, after, rest] = line.parts;
    expect([required(before).text, hit, required(rest).text]).toEqual([
      "…",
      { text: "needle", hit: true },
      "…",
    ]);
    expect(required(skipped).text).toBe("🙂".repeat(40));
    expect([...required(skipped).text, ...required(hit).text, ...required(after).text]).toHaveLength(
      SHOWN_MAX,
    );
  });

  it("is whole up to its limit", () => {
    const line = `${"x".repeat(SHOWN_MAX - 3)}abc`;
    expect(shown(line, "abc")).toEqual([1, `${"x".repeat(SHOWN_MAX - 3)}[abc]`]);
  });
});

describe("the matching lines", () => {
  const text = "s = 1\n  i.qty + s =>\nother\ni.qty\n  (s, i) => s + i.qty\n";
  const numbers = (needles: string[], max: number, first?: number) =>
    matchingLines(text, needles, max, first).lines.map(({ number }) => number);

  it("are those with the words as typed, those with all of them, then the others", () => {
    const needles = ["=>", "s", "+", "i.qty"];
    expect(numbers(needles, 5)).toEqual([5, 2, 1, 4]);
    expect(numbers(needles, 1)).toEqual([5]);
    expect(matchingLines(text, needles, 1).lineCount).toBe(4);
  });

  it("begin with the line that is named, unless others have more of the words", () => {
    expect(numbers(["i.qty"], 5, 4)).toEqual([4, 2, 5]);
    expect(numbers(["i.qty", "=>"], 5, 5)).toEqual([5, 2, 4]);
    expect(numbers(["i.qty", "=>"], 5, 4)).toEqual([2, 5, 4]);
  });
});
