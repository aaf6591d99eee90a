import { describe, expect, it } from "vitest";
import {
  findEnclosingDefinition,
  isInOldDefinition,
  isInSameDefinition,
} from "#domain/notes/enclosing-definition.ts";
import { findHeadingsWithIds, headingIds } from "#domain/notes/headings.ts";
import { checkOrphaned, type MirroredTree, suggestPaths } from "#domain/notes/orphans.ts";
import { findReplacement } from "#domain/notes/replaced-lines.ts";
import { indexLines } from "#domain/text/line-index.ts";
import { mapLines } from "#domain/text/line-map.ts";

/** One change of a text: these lines, from line 10, became those, from line 20. */
const replace = (removed: string[], added: string[]) => [{ from: 10, removed, to: 20, added }];

describe("the lines that replaced a quote", () => {
  // Bars separate the lines.
  it.each([
    ["have the most words in common", "a = sum(b);", "log(b);|a = add(b);|}", "a = sum(b);", 10, 21],
    ["keep half of the words", "a b c d", "a b x y", "a b c d", 10, 20],
    ["are none if fewer words stay", "a b c d", "a x y z", "a b c d", 10, null],
    ["count a repeated word once if one text has it once", "a a a b", "a x y z", "a a a b", 10, null],
    ["count a repeated word as often as both have it", "a a b b", "a a x y", "a a b b", 10, 20],
    ["are the nearest above", "first|run(a)|last", "run(b)|first|run(b)|x|run(b)", "run(a)", 11, 20],
    ["are the nearest below", "first|run(a)|last", "x|y|run(b)|run(b)", "run(a)", 12, 22],
    ["are empty lines for empty lines", "", "   ", "", 10, 20],
    ["are as many as the quote has", "one(a)|two(b)", "one(c)|two(d)", "one(a)|two(b)", 10, 20],
    ["are none if they are fewer", "one(a)|two(b)", "one(c)", "one(a)|two(b)", 10, null],
    ["are none if the quote ends later", "one(a)|two(b)", "one(c)|two(d)", "one(a)|two(b)", 11, null],
    ["are none if the quote begins earlier", "one(a)|two(b)", "one(c)|two(d)", "one(a)|two(b)", 9, null],
  ])("%s", (_, removed, added, quote, from, line) => {
    expect(findReplacement(replace(removed.split("|"), added.split("|")), quote.split("|"), from)).toBe(line);
  });

  it("are none without a change", () => {
    expect(findReplacement([], ["one(a);"], 10)).toBeNull();
  });

  it("are looked for within about a thousand lines of where the quote was", () => {
    const fill = (count: number) => Array.from({ length: count }, (_, i) => `other ${i}`);
    const locateBefore = (before: number) => {
      const added = [...fill(before), "run(b);", ...fill(1_500)];
      return findReplacement(replace(["run(a);", ...fill(3_000)], added), ["run(a);"], 10);
    };
    expect(locateBefore(1_000)).toBe(1_020);
    expect(locateBefore(1_001)).toBeNull();
  });

  it("are compared by the first 500 characters of a line and the first 2,000 lines", () => {
    const long = "a ".repeat(250);
    expect(findReplacement(replace([`${long}x`], [`${long}y z w`]), [`${long}x`], 10)).toBe(20);
    const quote = Array.from({ length: 4_000 }, (_, i) => `line(${i});`);
    const tail = quote.map((line, i) => (i < 2_000 ? line : ""));
    expect(findReplacement(replace(quote, tail), quote, 10)).toBe(20);
  });
});

const LOAD = ["function load(path) {", "  return read(path);", "}"];
const STORE = ["function store(path) {", "  return write(path);", "}"];

describe("the definition around a line", () => {
  const find = (lines: string[], from: number) => findEnclosingDefinition(indexLines(lines), from);

  it.each<[what: string, lines: string[], from: number, line: number | null]>([
    ["is the nearest line above that is less indented", [...LOAD, ...STORE], 1, 0],
    ["is that of the second of two", [...LOAD, ...STORE], 4, 3],
    ["is the line that a closing bracket belongs to", [...LOAD, ...STORE], 5, 3],
    ["is not an empty line or one of brackets alone", ["class Shelf", "{", "", "  open();"], 3, 0],
    ["is none for a line that nothing is around", ["import fs", "import os"], 1, null],
    ["is none for the first line", ["import fs"], 0, null],
  ])("%s", (_, lines, from, line) => {
    expect(find(lines, from)).toBe(line);
  });

  it("is looked for up to 2,000 lines above, and no farther", () => {
    const longFunction = (lines: number) => [
      "function load(path) {",
      ...Array.from({ length: lines }, (_, i) => `  step${i}();`),
    ];
    expect(find(longFunction(2_000), 2_000)).toBe(0);
    expect(find(longFunction(2_001), 2_001)).toBeNull();
  });
});

describe("a line of a newer text", () => {
  it("keeps its definition where that moved or got other arguments", () => {
    const moved = mapLines([...LOAD, ...STORE], [...STORE, ...LOAD]);
    expect(isInSameDefinition(moved, 1, 4)).toBe(true);
    expect(isInSameDefinition(moved, 1, 1)).toBe(false);
    const changed = mapLines(LOAD, ["function load(path, encoding) {", "  return read(path);", "}"]);
    expect(isInSameDefinition(changed, 1, 1)).toBe(true);
  });

  it("has lost its definition where there is none around it, before or now", () => {
    expect(isInSameDefinition(mapLines(LOAD, ["return read(path);"]), 1, 0)).toBe(false);
    expect(isInSameDefinition(mapLines(["return read(path);"], LOAD), 0, 1)).toBe(false);
  });

  it("is in an old definition only where the old text has that line", () => {
    expect(isInOldDefinition(mapLines(LOAD, [...LOAD, ...STORE]), 1)).toBe(true);
    expect(isInOldDefinition(mapLines(LOAD, [...LOAD, ...STORE]), 4)).toBe(false);
    expect(isInOldDefinition(mapLines(LOAD, ["read(path);"]), 0)).toBe(false);
  });
});

const trees: [name: string, tree: MirroredTree, path: string, orphaned: boolean | null][] = [
  ["has its file", { state: "read", paths: new Set(["a.ts"]) }, "a.ts", false],
  ["lacks its file", { state: "read", paths: new Set(["b.ts"]) }, "a.ts", true],
  ["has another case of its name", { state: "read", paths: new Set(["A.ts"]) }, "a.ts", true],
  ["has no file at all", { state: "read", paths: new Set() }, "a.ts", true],
  ["is not mirrored", { state: "absent" }, "a.ts", true],
  ["cannot be read", { state: "unreadable" }, "a.ts", null],
];

it.each(trees)("a note in a repository whose copy %s", (_, tree, path, orphaned) => {
  expect(checkOrphaned(tree, path)).toBe(orphaned);
});

describe("the file of an orphan may be", () => {
  it("where a sync saw it go, then under its name in the most similar folder", () => {
    const namesakes = ["x/main.py", "src/old/main.py", "src/main.py"];
    expect(suggestPaths("src/lib/main.py", "app/start.py", namesakes)).toEqual([
      "app/start.py",
      "src/main.py",
      "src/old/main.py",
      "x/main.py",
    ]);
  });

  it("in a similar folder sooner than in one that comes first by name", () => {
    expect(suggestPaths("src/main.py", null, ["a/main.py", "src/b/main.py"])).toEqual([
      "src/b/main.py",
      "a/main.py",
    ]);
  });

  it("in five places at most, each once, and never where it is not", () => {
    const namesakes = ["a/x", "b/x", "c/x", "d/x", "e/x", "f/x", "lost/x"];
    expect(suggestPaths("lost/x", "c/x", namesakes)).toEqual(["c/x", "a/x", "b/x", "d/x", "e/x"]);
  });
});

const listHeadings = (text: string) =>
  findHeadingsWithIds(text.split("\n")).map(({ id, line }) => `${line} ${id}`);

describe("the headings of a Markdown text", () => {
  it("are found by hashes and by underlines, with the line they are on", () => {
    expect(listHeadings("# One\n\ntext\n\n## שתיים ##\nThree\n---\n#no\n")).toEqual([
      "1 one",
      "5 שתיים",
      "6 three",
    ]);
  });

  it("are not found inside fenced code, and a rule is not an underline", () => {
    expect(listHeadings("```\n# code\n```\n\n---\n- item\n---\n# real")).toEqual(["8 real"]);
  });

  it("are named by what a reader sees of them", () => {
    expect(listHeadings("# **Bold** `code` [link](x)")).toEqual(["1 bold-code-link"]);
  });

  it("of equal words are numbered, and no number meets another heading's name", () => {
    expect(headingIds(["A", "A", "A 1", "A"])).toEqual(["a", "a-1", "a-1-1", "a-2"]);
  });
});
