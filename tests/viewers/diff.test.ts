import { describe, expect, it } from "vitest";
import { buildDiffView as viewDiff } from "#app/viewers/code/diff.ts";
import { itemAt, required } from "#domain/required.ts";

const diffView = (before: string, after: string) => viewDiff({ before, after });

const numbered = (count: number, word = "line") =>
  Array.from({ length: count }, (_, i) => `${word} ${i + 1}\n`);
const shape = (before: string[], after: string[]) =>
  diffView(before.join(""), after.join("")).stretches.map(
    ({ folded, lines, from, to }) => `${folded ? "fold" : "show"} ${lines} from ${from}/${to}`,
  );

describe("a diff on a page", () => {
  it("shows three lines around a change and folds the rest, numbered on both sides", () => {
    const lines = numbered(30);
    expect(shape(lines, lines.toSpliced(14, 1, "new\n", "newer\n"))).toEqual([
      "fold 11 from 1/1",
      "show 9 from 12/12",
      "fold 12 from 19/20",
    ]);
  });

  it("does not fold if hardly anything would be hidden", () => {
    const lines = numbered(9);
    expect(shape(lines, lines.with(4, "new\n"))).toEqual(["show 10 from 1/1"]);
  });

  it("shows every line exactly once", () => {
    const lines = numbered(200);
    const { stretches } = diffView(lines.join(""), lines.with(50, "x\n").with(120, "y\n").join(""));
    const shown = stretches.flatMap(({ html }) =>
      [...html.matchAll(/line (\d+)</g)].map(([, n]) => Number(n)),
    );
    expect(shown).toEqual(lines.map((_, i) => i + 1));
  });

  it("escapes what the texts contain, marked or not", () => {
    const [stretch] = diffView("let a = '<b>';\n", "let a = '<i>';\n").stretches;
    expect(required(stretch).html).toContain("&lt;<mark>b</mark>&gt;");
    expect(required(stretch).html).not.toMatch(/<[bi]>/);
  });

  it("keeps colours under the words that are marked", () => {
    const colours = {
      before: ['<span class="k">let</span> a = 1'],
      after: ['<span class="k">let</span> b &lt; 1'],
    };
    const { stretches } = viewDiff({ before: "let a = 1\n", after: "let b < 1\n", colours });
    const { html } = itemAt(stretches, 0);
    expect(html).toContain('<span class="k">let</span> <mark>b</mark> <mark>&lt;</mark> 1</ins>');
  });

  it("shows replaced lines side by side", () => {
    const { stretches } = viewDiff({ before: "a\nb\nc\n", after: "a\nx\ny\nc\n", isSplit: true });
    const sides = [
      ...itemAt(stretches, 0).html.matchAll(/diff-side diff-(\w+)"><span class="diff-number">(\d*)/g),
    ];
    expect(sides.map(([, kind, n]) => `${kind} ${n}`)).toEqual([
      ...["same 1", "same 1"],
      ...["removed 2", "added 2"],
      ...["none ", "added 3"],
      ...["same 3", "same 4"],
    ]);
  });

  it("tells a missing last line end and a changed kind of line end", () => {
    expect(itemAt(diffView("a\n", "a").stretches, 0).html).toContain("⊘");
    expect(itemAt(diffView("a\r\n", "a\n").stretches, 0).html).toContain("␍");
  });

  it("has nothing to show for equal texts", () => {
    expect(diffView("a\n", "a\n")).toMatchObject({ stretches: [], added: 0, removed: 0, cut: false });
  });

  it("omits a long unchanged stretch, and more changes than a page holds", () => {
    const long = numbered(20_000);
    const { stretches, cut } = diffView(long.join(""), ["new\n", ...long].join(""));
    expect([required(stretches.at(-1)).html, required(stretches.at(-1)).lines, cut]).toEqual([
      "",
      19_997,
      false,
    ]);
    const changed = diffView(long.join(""), numbered(20_000, "other").join(""));
    expect(changed).toMatchObject({ cut: true, added: 20_000, removed: 20_000 });
    expect(changed.stretches.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(6_000);
  });
});
