import { describe, expect, it } from "vitest";
import { unifiedDiff } from "#domain/text/unified-diff.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`);

describe("a unified diff", () => {
  it("is empty where nothing changed", () => {
    expect(unifiedDiff("a\n", "a\n")).toBe("");
  });

  it("shows three lines around a change", () => {
    const lines = numbered(9);
    const changed = lines.with(4, "five\n");
    expect(unifiedDiff(lines.join(""), changed.join(""))).toBe(
      "--- before\n+++ after\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
    );
  });

  it("puts changes that are near into one hunk, and those that are far into two", () => {
    const lines = numbered(20);
    const near = lines.with(1, "x\n").with(8, "y\n");
    const far = lines.with(1, "x\n").with(9, "y\n");
    const hunks = (text: string) => text.match(/^@@ .* @@$/gm);
    expect(hunks(unifiedDiff(lines.join(""), near.join("")))).toEqual(["@@ -1,12 +1,12 @@"]);
    expect(hunks(unifiedDiff(lines.join(""), far.join("")))).toEqual(["@@ -1,5 +1,5 @@", "@@ -7,7 +7,7 @@"]);
  });

  it("counts from the line before where a side is empty, and says where a last line does not end", () => {
    expect(unifiedDiff("", "a\nb")).toBe(
      "--- before\n+++ after\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
    );
    expect(unifiedDiff("a\n", "")).toBe("--- before\n+++ after\n@@ -1 +0,0 @@\n-a\n");
  });
});
