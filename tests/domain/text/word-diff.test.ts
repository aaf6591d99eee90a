import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { diffWords, type Piece } from "#domain/text/word-diff.ts";

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
