import { describe, expect, it } from "vitest";
import {
  cutForEmbed,
  embedHeightPx,
  isEmbeddable,
  readEmbedTheme,
  writeEmbedCode,
} from "#domain/shares/embed.ts";

describe("an embedded file", () => {
  it("is shown whole up to 1,000 lines and 100,000 characters", () => {
    expect(cutForEmbed("a\nb\n")).toEqual({ text: "a\nb\n", isWhole: true });
    const thousand = Array.from({ length: 1_000 }, (_, i) => `line ${i}`).join("\n");
    expect(cutForEmbed(thousand)).toEqual({ text: thousand, isWhole: true });
    expect(cutForEmbed(`${thousand}\n`).isWhole).toBe(true);
    expect(cutForEmbed(`${thousand}\nmore`)).toEqual({ text: thousand, isWhole: false });
    const long = cutForEmbed("x".repeat(100_001));
    expect([long.text.length, long.isWhole]).toEqual([100_000, false]);
  });

  it("never ends within a character", () => {
    const { text } = cutForEmbed(`${"x".repeat(99_999)}🙂`);
    expect(text.isWellFormed()).toBe(true);
  });

  it("is offered only where no password and no limit of views stands before it", () => {
    expect(isEmbeddable({ password: null, views_left: null })).toBe(true);
    expect(isEmbeddable({ password: {}, views_left: null })).toBe(false);
    expect(isEmbeddable({ password: null, views_left: 3 })).toBe(false);
  });

  it("has a frame as high as its lines, up to a bound", () => {
    expect(embedHeightPx(2) - embedHeightPx(1)).toBe(24);
    expect(embedHeightPx(0)).toBe(embedHeightPx(1));
    expect(embedHeightPx(10_000)).toBe(600);
  });

  it("is put into other pages by code that nothing in a name breaks out of", () => {
    const code = writeEmbedCode({ src: "https://a.example/x?a&b", title: '"><script>', heightPx: 100 });
    expect(code).toContain('src="https://a.example/x?a&amp;b"');
    expect(code).toContain('title="&quot;&gt;&lt;script&gt;"');
    expect(code).not.toContain("<script");
  });

  it("is light, dark or as the reader's system", () => {
    expect(["dark", "light", "pink", null].map(readEmbedTheme)).toEqual(["dark", "light", "auto", "auto"]);
  });
});
