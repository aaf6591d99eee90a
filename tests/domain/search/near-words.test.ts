import { describe, expect, it } from "vitest";
import { countWords, findNearWord } from "#domain/search/near-words.ts";
import { replaceWords } from "#domain/search/search-query.ts";

const KNOWN = countWords([
  "fibonacci.py",
  "quick sort.js",
  "hello_world.ts",
  "binary-search.js",
  "binarySearch.go",
  "שלום.md",
]);

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

describe("the words of a search", () => {
  it("are replaced, and filters, excluded words and quotes stay", () => {
    const replaced = replaceWords('one lang:one -one "one" two', (word) => word.toUpperCase());
    expect(replaced).toBe('ONE lang:one -one "one" TWO');
  });
});
