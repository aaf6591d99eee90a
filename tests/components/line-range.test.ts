import { describe, expect, it } from "vitest";
import { markLines } from "#app/files/code/line-range.ts";
import { numberPlainLines } from "#app/viewers/code/code-lines.ts";
import { parseLineRange } from "#domain/text/line-range.ts";

describe("a range of lines", () => {
  it.each([
    ["4", { from: 4, to: 4 }],
    ["L4", { from: 4, to: 4 }],
    ["4-8", { from: 4, to: 8 }],
    ["L4-L8", { from: 4, to: 8 }],
    ["8-4", { from: 4, to: 8 }],
  ])("is read from %s", (text, range) => {
    expect(parseLineRange(text)).toEqual(range);
  });

  it.each([null, "", "L", "4-", "-4", "4-8-9", "four", "4 ", "12345678"])("is not read from %s", (text) => {
    expect(parseLineRange(text)).toBeNull();
  });

  it("marks its lines and no other", () => {
    const marked = markLines(numberPlainLines("a\nb\nc\nd"), { from: 2, to: 3 });

    const ids = [...marked.matchAll(/class="line line-marked" id="(L\d+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["L2", "L3"]);
  });

  it("that lies behind the end marks nothing", () => {
    const html = numberPlainLines("a\nb");
    expect(markLines(html, { from: 7, to: 9 })).toBe(html);
  });
});
