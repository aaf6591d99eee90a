import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countMergeMarks, mergeLines } from "#domain/text/line-merge.ts";

const labels = { mine: "mine", theirs: "theirs" };
const merge = (base: string, mine: string, theirs: string) => mergeLines(base, mine, theirs, labels);
const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n")).map((lines) => lines.join(""));

describe("merging", () => {
  it("takes what one side changed from that side", () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(merge(base, changed, base)).toEqual({ text: changed, collisions: 0 });
        expect(merge(base, base, changed)).toEqual({ text: changed, collisions: 0 });
        expect(merge(base, changed, changed)).toEqual({ text: changed, collisions: 0 });
      }),
    );
  });

  it("collides for one side where it collides for the other", () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        expect(merge(base, mine, theirs).collisions).toBe(merge(base, theirs, mine).collisions);
      }),
    );
  });

  it("keeps every line that either side wrote", () => {
    const label = (side: string) =>
      fc.array(fc.constantFrom(`${side}1\n`, `${side}2\n`, "a\n", "b\n")).map((lines) => lines.join(""));
    fc.assert(
      fc.property(text, label("x"), label("y"), (base, mine, theirs) => {
        const { text: merged } = merge(base, mine, theirs);
        const count = (text: string, line: string) => text.split("\n").filter((l) => l === line).length;
        for (const line of ["x1", "x2"]) expect(count(merged, line)).toBe(count(mine, line));
        for (const line of ["y1", "y2"]) expect(count(merged, line)).toBe(count(theirs, line));
      }),
    );
  });

  it("joins changes of neighbouring lines", () => {
    expect(merge("a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\nd\n")).toEqual({ text: "A\nB\nc\nd\n", collisions: 0 });
  });

  it("puts both between markers only where they changed the same line", () => {
    expect(merge("a\nb\nc\n", "a\nmine\nc\n", "top\na\ntheirs\nc\n")).toEqual({
      text: "top\na\n<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> theirs\nc\n",
      collisions: 1,
    });
  });

  it("sees a collision where both put different lines at one place, and where a last line has no end", () => {
    expect(merge("", "one", "two").text).toBe("<<<<<<< mine\none\n=======\ntwo\n>>>>>>> theirs\n");
    expect(merge("a\nb\n", "a\nx\nb\n", "a\ny\nb\n").collisions).toBe(1);
  });

  it("sees a collision where one removed what the other changed", () => {
    expect(merge("a\nb\nc\n", "a\nc\n", "a\nB\nc\n")).toEqual({
      text: "a\n<<<<<<< mine\n=======\nB\n>>>>>>> theirs\nc\n",
      collisions: 1,
    });
  });
});

describe("marks of a merge", () => {
  it("are known in what a merge that collides makes", () => {
    expect(countMergeMarks(merge("a\n", "b\n", "c\n").text)).toBe(1);
  });

  it.each([
    ["nothing", ""],
    ["a merge without collisions", "a\nb\n"],
    ["a heading that is underlined", "Title\n=======\n"],
    ["an opening mark alone", "<<<<<<< mine\na\n"],
    ["a closing mark alone", "a\n>>>>>>> theirs\n"],
    ["marks within a line", "x <<<<<<< mine\nx >>>>>>> theirs\n"],
  ])("are not in %s", (_, text) => {
    expect(countMergeMarks(text)).toBe(0);
  });
});
