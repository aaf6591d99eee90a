import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { matchingLine, matchingLines, SHOWN_MAX } from "#domain/search/matching-line.ts";
import { countWords, findNearWord } from "#domain/search/near-words.ts";
import { checkNoteSearch, noteMatcher, notePreview } from "#domain/search/note-search.ts";
import { foldCase } from "#domain/text/folded.ts";

const shown = (text: string, needle: string) => {
  const line = matchingLine(text, foldCase(needle));
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
    const needle = { text: "needle", hit: true };
    expect([required(before).text, hit, required(rest).text]).toEqual(["…", needle, "…"]);
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

const hit = (needle: string, title: string | null, content: string) =>
  noteMatcher(needle)({ title, content });

describe("the one rule by which notes are found", () => {
  it.each([
    ["plan", "The Plan", "", "title"],
    ["PLAN", null, "a plan", "body"],
    ["plan", "Plan", "plan", "title"],
    ["שלום", null, "אמר: שלום!", "body"],
    ["straße", null, "STRAẞE", "body"],
    ["ΟΔΟΣ", null, "οδος", "body"],
    ["a\nb", null, "xa\nby", "body"],
    [".*", null, "a.*b", "body"],
    [".*", null, "anything", null],
    ["x", null, "", null],
    ["%_\\", null, "100%_\\", "body"],
  ])("%j in title %j and body %j is in the %s", (needle, title, content, wanted) => {
    expect(hit(needle, title, content)).toBe(wanted);
  });

  it("shows the part around the first hit, in whole characters", () => {
    const content = `${"👋".repeat(300)}needle${"ש".repeat(300)}`;
    const { preview, preview_truncated } = notePreview(content, "NEEDLE");
    expect(preview_truncated).toBe(true);
    expect([...preview]).toHaveLength(200);
    expect(preview).toMatch(/^(👋){60}needleש+$/u);
    expect(notePreview("short", "none")).toEqual({ preview: "short", preview_truncated: false });
  });

  it("shows the beginning where the hit is in the title, and the end where it is there", () => {
    const content = "x".repeat(300);
    expect(notePreview(`start${content}`, "title").preview.startsWith("start")).toBe(true);
    expect(notePreview(`İİİİ${content}end`, "end").preview.endsWith("end")).toBe(true);
  });

  it("takes a limit as it is, up to 50", () => {
    expect(checkNoteSearch({ q: "x" })).toEqual({ needle: "x", limit: 30 });
    const query = checkNoteSearch({ q: "x", limit: "50", color: "#ABCDEF" });
    expect(query).toEqual({ needle: "x", limit: 50, color: "#abcdef" });
    expect(checkNoteSearch({ q: "x", limit: "51" })).toMatchObject({ limit: 50 });
  });
});

const NAMES = "fibonacci.py|quick sort.js|hello_world.ts|binary-search.js|binarySearch.go|שלום.md";
const KNOWN = countWords(NAMES.split("|"));

describe("a misspelt word", () => {
  it.each([
    ["fibonaci", "fibonacci"],
    ["quikc", "quick"],
    ["helo", "hello"],
    ["wrold", "world"],
    ["Serch", "search"],
    ["binairy", "binary"],
    ["שלוםם", "שלום"],
  ])("%s was meant to be %s", (typed, meant) => {
    expect(findNearWord(typed, KNOWN)).toBe(meant);
  });

  it.each([
    ["is there as it is", "hello"],
    ["is too short to tell", "wor"],
    ["is like none", "database"],
    ["differs in too many letters", "fibbonaccky"],
    ["is longer than words are", "a".repeat(25)],
  ])("is left alone where it %s", (_, typed) => {
    expect(findNearWord(typed, KNOWN)).toBeNull();
  });

  it("becomes the more frequent of two words that are equally near", () => {
    expect(findNearWord("cart", countWords(["card", "care", "care"]))).toBe("care");
  });

  it("is compared with so many words that hold nobody up", () => {
    const names = Array.from(
      { length: 20_000 },
      (_, n) => `n${n.toString(36).replaceAll(/\d/g, "q")}abcdefgh`,
    );
    expect(countWords(names).size).toBeLessThanOrEqual(3_000);
  });
});
