import { describe, expect, it } from "vitest";
import { numberPlainLines } from "#app/viewers/code/code-lines.ts";
import { markLines } from "#app/viewers/code/line-marks.ts";

describe("a range of lines", () => {
  it("marks its lines and no other", () => {
    const marked = markLines(numberPlainLines("a\nb\nc\nd"), { from: 2, to: 3 });

    const ids = [...marked.matchAll(/class="line line-marked" id="(L\d+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["L2", "L3"]);
  });

  it("beyond the end marks nothing", () => {
    const html = numberPlainLines("a\nb");
    expect(markLines(html, { from: 7, to: 9 })).toBe(html);
  });
});
