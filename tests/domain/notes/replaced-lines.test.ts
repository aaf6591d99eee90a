import { describe, expect, it } from "vitest";
import { findReplacement } from "#domain/notes/replaced-lines.ts";

/** One change of a text: these lines, from line 10, became those, from line 20. */
const replace = (removed: string[], added: string[]) => [{ from: 10, removed, to: 20, added }];

describe("the lines that replaced a quote", () => {
  it("are those of the same change with the most words in common", () => {
    const changes = replace(["const total = sum(rows);"], ["log(rows);", "const total = add(rows);", "}"]);
    expect(findReplacement(changes, ["const total = sum(rows);"], 10)).toBe(21);
  });

  it("are none where fewer than half of the words stay", () => {
    expect(findReplacement(replace(["a b c d"], ["a b x y"]), ["a b c d"], 10)).toBe(20);
    expect(findReplacement(replace(["a b c d"], ["a x y z"]), ["a b c d"], 10)).toBeNull();
  });

  it("count a repeated word as often as both have it", () => {
    expect(findReplacement(replace(["a a a b"], ["a x y z"]), ["a a a b"], 10)).toBeNull();
    expect(findReplacement(replace(["a a b b"], ["a a x y"]), ["a a b b"], 10)).toBe(20);
  });

  it("are the nearest of those that look alike", () => {
    const removed = ["first();", "run(a);", "last();"];
    const changes = replace(removed, ["run(b);", "first();", "run(b);", "x", "run(b);"]);
    expect(findReplacement(changes, ["run(a);"], 11)).toBe(20);
    const below = replace(removed, ["x", "y", "run(b);", "run(b);"]);
    expect(findReplacement(below, ["run(a);"], 12)).toBe(22);
  });

  it("are empty lines for empty lines", () => {
    expect(findReplacement(replace([""], ["   "]), [""], 10)).toBe(20);
  });

  it("are looked for only in a change that has the whole quote and enough lines", () => {
    const quote = ["one(a);", "two(b);"];
    expect(findReplacement(replace(quote, ["one(c);", "two(d);"]), quote, 10)).toBe(20);
    expect(findReplacement(replace(quote, ["one(c);"]), quote, 10)).toBeNull();
    expect(findReplacement(replace(quote, ["one(c);", "two(d);"]), quote, 11)).toBeNull();
    expect(findReplacement(replace(quote, ["one(c);", "two(d);"]), quote, 9)).toBeNull();
    expect(findReplacement([], quote, 10)).toBeNull();
  });

  it("are looked for within about a thousand lines of where the quote was", () => {
    const fill = (count: number) => Array.from({ length: count }, (_, i) => `other ${i}`);
    const place = (before: number) => {
      const added = [...fill(before), "run(b);", ...fill(1_500)];
      return findReplacement(replace(["run(a);", ...fill(3_000)], added), ["run(a);"], 10);
    };
    expect(place(1_000)).toBe(1_020);
    expect(place(1_001)).toBeNull();
  });

  it("are compared by the first 500 characters of a line and the first 2,000 lines", () => {
    const long = "a ".repeat(250);
    expect(findReplacement(replace([`${long}x`], [`${long}y z w`]), [`${long}x`], 10)).toBe(20);
    const quote = Array.from({ length: 4_000 }, (_, i) => `line(${i});`);
    const tail = quote.map((line, i) => (i < 2_000 ? line : ""));
    expect(findReplacement(replace(quote, tail), quote, 10)).toBe(20);
  });
});
