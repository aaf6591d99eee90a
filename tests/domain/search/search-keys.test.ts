import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGE_NAMES } from "#domain/files/language.ts";
import { required } from "#domain/required.ts";
import { collectKeys, needleKeys, startKey, wholeKey } from "#domain/search/search-keys.ts";
import { foldCase } from "#domain/text/folded.ts";

const FILE = {
  name: "useLocalStorage.js",
  description: "",
  tags: [],
  language: "javascript",
  body: "",
  max: 60_000,
};
const collectedKeys = (file: Partial<typeof FILE> & { tags?: string[] }) =>
  new Set(required(collectKeys({ ...FILE, ...file })));

describe("what a file is filed under", () => {
  it("has every run of three characters of whatever stands in the text", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "B", "ש", "Σ", "ς", "İ", "🙂", " ") });
    fc.assert(
      fc.property(text, text, text, (before, needle, after) => {
        const text = before + needle + after;
        expect(foldCase(text)).toContain(foldCase(needle));
        const keys = collectedKeys({ body: text });
        for (const key of needleKeys("text", foldCase(needle))) expect(keys).toContain(key);
      }),
    );
  });

  it("does not reach from one text into the next", () => {
    const keys = collectedKeys({ name: "ab", body: "cd" });
    expect(needleKeys("text", "abc").some((key) => keys.has(key))).toBe(false);
    expect(collectedKeys({ name: "abc" }).has(required(needleKeys("text", "abc")[0]))).toBe(true);
  });

  it.each<[string, number]>([
    ["its whole name", wholeKey("wholeName", "uselocalstorage.js")],
    ["its name without the extension", wholeKey("wholeName", "uselocalstorage")],
    ["the beginning of its name", startKey("nameStart", "uselo")],
    ["the beginning of a word in it", startKey("word", "sto")],
    ["its initials", startKey("word", "uls")],
    ["its language", wholeKey("language", "javascript")],
    ["a tag", wholeKey("wholeTag", "hooks")],
    ["the beginning of a tag", startKey("tag", "ho")],
    ["what it defines", wholeKey("wholeDefinition", "readjson")],
  ])("has %s", (_, key) => {
    expect(collectedKeys({ tags: ["Hooks"], body: "function readJson(text) {\n}\n" } as never)).toContain(
      key,
    );
    expect(collectedKeys({ name: "other.py", language: "python" })).not.toContain(key);
  });

  it("stands in order, and is nothing where it is too much", () => {
    const keys = required(collectKeys({ ...FILE, tags: ["b", "a"], body: "zyx abc שלום" }));
    expect([...keys]).toEqual([...keys].sort((a, b) => a - b));
    expect(new Set(keys).size).toBe(keys.length);
    expect(collectKeys({ ...FILE, body: "abcdefghij", max: 5 })).toBeNull();
  });
});

describe("the keys of a needle", () => {
  it("are few, from its beginning to its end, however long it is", () => {
    const needle = Array.from({ length: 120 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    const keys = needleKeys("text", needle);
    expect(keys).toHaveLength(6);
    expect(keys[0]).toBe(needleKeys("text", needle.slice(0, 3))[0]);
    expect(keys.at(-1)).toBe(needleKeys("text", needle.slice(-3))[0]);
  });

  it("are none for fewer than three characters", () => {
    expect(needleKeys("text", "🙂🙂")).toEqual([]);
  });
});

it("gives each language a number of its own, by which files can be left out", () => {
  expect(new Set(LANGUAGE_NAMES.map((name) => wholeKey("language", name))).size).toBe(LANGUAGE_NAMES.length);
});
