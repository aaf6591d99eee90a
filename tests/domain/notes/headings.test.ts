import { describe, expect, it } from "vitest";
import { headingIds, headingsIn } from "#domain/notes/headings.ts";

const found = (text: string) => headingsIn(text.split("\n")).map(({ id, line }) => `${line} ${id}`);

describe("the headings of a Markdown text", () => {
  it("are found by hashes and by underlines, with the line they are on", () => {
    expect(found("# One\n\ntext\n\n## שתיים ##\nThree\n---\n#no\n")).toEqual(["1 one", "5 שתיים", "6 three"]);
  });

  it("are not found inside fenced code, and a rule is not an underline", () => {
    expect(found("```\n# code\n```\n\n---\n- item\n---\n# real")).toEqual(["8 real"]);
  });

  it("are named by what a reader sees of them", () => {
    expect(found("# **Bold** `code` [link](x)")).toEqual(["1 bold-code-link"]);
  });

  it("of equal words are numbered, and no number meets another heading's name", () => {
    expect(headingIds(["A", "A", "A 1", "A"])).toEqual(["a", "a-1", "a-1-1", "a-2"]);
  });
});
