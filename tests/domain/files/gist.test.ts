import { describe, expect, it } from "vitest";
import { cutGistDescription, nameGistFolder, parseGistUrl } from "#domain/files/gist.ts";
import { numberFolder } from "#domain/folders/folder-tree.ts";

const gist = (description: string, ...names: string[]) => ({
  description,
  files: names.map((name) => ({ name, body: "" })),
});

describe("the folder of a gist", () => {
  it.each([
    ["Retry with backoff\nand more", "a.py", "Retry with backoff"],
    ["  a/b\\c\t d ", "a.py", "a b c d"],
    ["", "a.py", "a.py"],
    ["..", "", "gist"],
    ["x".repeat(200), "a.py", "x".repeat(80)],
  ])("of %j and %j is called %j", (description, file, name) => {
    expect(nameGistFolder(gist(description, file))).toBe(name);
  });

  it("has a number where its name is taken, and still fits", () => {
    expect([numberFolder("one", 1), numberFolder("one", 2)]).toEqual(["one", "one (2)"]);
    expect([...numberFolder("🙂".repeat(255), 12)]).toHaveLength(255);
  });
});

it("a description is cut to what a file has room for", () => {
  expect([...cutGistDescription(` ${"ש".repeat(600)} `)]).toHaveLength(500);
});

describe("the address of a gist", () => {
  const API = "https://api.example.org";
  it.each([
    ["https://gist.example.org/dana/0123abcd", "0123abcd"],
    [" https://gist.example.org/0123abcd/ ", "0123abcd"],
    ["https://example.org/gist/dana/0123abcd", "0123abcd"],
    ["https://gist.evil.org/dana/0123abcd", null],
    ["https://gist.example.org.evil.org/0123abcd", null],
    ["http://gist.example.org/0123abcd", null],
    ["https://gist.example.org/dana/..%2f..%2fuser", null],
    ["https://example.org/dana/0123abcd", null],
    ["not an address", null],
  ])("%s names %s", (written, id) => {
    expect(parseGistUrl(written, API)).toBe(id);
  });
});
