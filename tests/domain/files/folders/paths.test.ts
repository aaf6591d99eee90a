import { describe, expect, it } from "vitest";
import { parseFilePath } from "#domain/files/folders/file-path.ts";
import { FOLDER_DEPTH_MAX } from "#domain/files/folders/folder-tree.ts";
import { README_NAMES } from "#domain/files/folders/readme.ts";
import {
  listRelativePaths,
  parseRelativeAddress,
  resolveRelativePath,
} from "#domain/files/folders/relative-address.ts";

describe("an address in a text", () => {
  it.each([
    ["a.md", "a.md", ""],
    ["  a.md\n", "a.md", ""],
    ["../img/a.svg#top", "../img/a.svg", "#top"],
    ["a.md?raw=1#x?y", "a.md", "#x?y"],
    ["a.md?raw", "a.md", ""],
    ["my%20file.md", "my file.md", ""],
    ["100%.md", "100%.md", ""],
    ["a/b:c.md", "a/b:c.md", ""],
    ["a".repeat(1_000), "a".repeat(1_000), ""],
  ])("%j names the file %j and the place %j", (address, path, fragment) => {
    expect(parseRelativeAddress(address)).toEqual({ path, fragment });
  });

  it.each([
    ["of a site", "https://example.com/a.md"],
    ["of a site in capitals", "HTTP:a.md"],
    ["of a mailbox", "mailto:a@example.com"],
    ["from the root", "/a.md"],
    ["from the root, with a backslash", "\\a.md"],
    ["of a place in the text", "#top"],
    ["of a question", "?q"],
    ["that is blank", "  "],
    ["that is too long", "a".repeat(1_001)],
  ])("%s names no file of the library", (_, address) => {
    expect(parseRelativeAddress(address)).toBeNull();
  });
});

describe("a relative path", () => {
  it.each<[string[], string, string[]]>([
    [[], "a.md", ["a.md"]],
    [["docs"], "a.md", ["docs", "a.md"]],
    [["docs", "en"], "../img/./a.svg", ["docs", "img", "a.svg"]],
    [["docs"], "../a.md", ["a.md"]],
    [["docs"], "x//a.md", ["docs", "x", "a.md"]],
    [["docs"], "x/../...md", ["docs", "...md"]],
  ])("in %j, %j names %j", (folders, path, names) => {
    expect(resolveRelativePath(folders, path)).toEqual(names);
  });

  it.each<[string, string[], string]>([
    ["leads above the root", ["docs"], "../../a.md"],
    ["leads above the root and back", [], "../docs/a.md"],
    ["names a folder", ["docs"], "x/"],
    ["names its own folder", ["docs"], "."],
    ["names the folder above", ["docs", "x"], ".."],
    ["ends at the folder above", ["docs"], "x/.."],
    ["is empty", ["docs"], ""],
  ])("names no file where it %s", (_, folders, path) => {
    expect(resolveRelativePath(folders, path)).toBeNull();
  });

  it("goes no deeper than folders do", () => {
    const folders = Array.from({ length: FOLDER_DEPTH_MAX }, () => "d");
    expect(resolveRelativePath(folders, "a.md")).toEqual([...folders, "a.md"]);
    expect(resolveRelativePath(folders, "d/a.md")).toBeNull();
  });
});

describe("the relative paths in a Markdown text", () => {
  it.each([
    ["a link", "[a](a.md)", ["a.md"]],
    ["a link with a title", '[a](a.md "title")', ["a.md"]],
    ["a link in angles", "[a](<my file.md>)", ["my file.md"]],
    ["a picture", "![a](img/a.svg)", ["img/a.svg"]],
    ["a definition", "[a]: a.md\n  [b]: <b b.md>", ["a.md", "b b.md"]],
    ["HTML", "<img src=\"a.svg\"><a HREF = 'b.md'><img src=c.svg>", ["a.svg", "b.md", "c.svg"]],
    ["an escaped ampersand", '<a href="a&amp;b.md">', ["a&b.md"]],
    ["the same twice", "[a](a.md) [b](a.md#top)", ["a.md"]],
    ["only other addresses", "[a](https://example.com) [b](#top) [c](/root.md) [d](?q)", []],
    ["code in four blanks", "    [a]: a.md", []],
  ])("of %s are found", (_, text, paths) => {
    expect(listRelativePaths(text, 10)).toEqual(paths);
  });

  it("are no more than asked for", () => {
    const text = ["a", "b", "c"].map((name) => `[${name}](${name}.md)`).join(" ");
    expect(listRelativePaths(text, 2)).toEqual(["a.md", "b.md"]);
    expect(listRelativePaths(text, 3)).toHaveLength(3);
  });
});

describe("a path of a file", () => {
  it("is its folders and its name", () => {
    expect(parseFilePath("a/b/c.py")).toEqual({ folders: ["a", "b"], file_name: "c.py" });
    expect(parseFilePath("c.py")).toEqual({ folders: [], file_name: "c.py" });
  });

  it.each([
    ["/abs/name.txt", "path_with_empty_part"],
    ["a//b.txt", "path_with_empty_part"],
    ["a/ /b.txt", "path_with_empty_part"],
    ["../../etc/passwd", "path_with_dots"],
    ["a/./b.txt", "path_with_dots"],
    ["back\\slash.txt", "path_with_backslash"],
    ["a\\b/c.txt", "path_with_backslash"],
    ["a/", "missing_file_name"],
    ["a/..", "reserved_file_name"],
    ["a\u0001/b.txt", "invalid_folder_name"],
  ])("is refused as %j for what is wrong with it", (path, code) => {
    expect(parseFilePath(path)).toMatchObject({ refused: code });
  });
});

it("prefers Markdown to plain text, and any ending to none", () => {
  const rank = (name: string) => README_NAMES.indexOf(name);

  expect(rank("README.md")).toBe(0);
  expect(rank("readme.md")).toBeLessThan(rank("README.txt"));
  expect(rank("README.rst")).toBeLessThan(rank("README"));
  expect(rank("README")).toBeGreaterThan(0);
  expect(rank("readme")).toBeGreaterThan(rank("README"));
});
