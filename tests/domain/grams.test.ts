import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractGrams, folded, needleGrams } from "#domain/search/grams.ts";

describe("the grams of a text", () => {
  it.each([
    ["ASCII, in lower case", "AbCd", ["abc", "bcd"]],
    ["Hebrew", "שלום", ["שלו", "לום"]],
    ["emoji, whole", "a🙂b🙂", ["a🙂b", "🙂b🙂"]],
    ["what is repeated, once", "aaaaaa", ["aaa"]],
    ["nothing in fewer than three characters", "🙂🙂", []],
  ])("are those of %s", (_, text, grams) => {
    expect([...extractGrams([text])]).toEqual(grams);
  });

  it("do not reach from one text into the next", () => {
    expect([...extractGrams(["ab", "cd"])]).toEqual([]);
  });

  it("include every gram of whatever stands inside the text", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "B", "ש", "Σ", "ς", "İ", "🙂", " ") });
    fc.assert(
      fc.property(text, text, text, (before, needle, after) => {
        const whole = before + needle + after;
        expect(folded(whole)).toContain(folded(needle));
        const grams = extractGrams([whole]);
        for (const gram of needleGrams(needle)) expect(grams).toContain(gram);
      }),
    );
  });
});

describe("the grams of a needle", () => {
  it("are few, from its beginning to its end, however long it is", () => {
    const needle = Array.from({ length: 120 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    const grams = needleGrams(needle);
    expect(grams).toHaveLength(6);
    expect(grams[0]).toBe(needle.slice(0, 3));
    expect(grams.at(-1)).toBe(needle.slice(-3));
  });
});
