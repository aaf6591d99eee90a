import { describe, expect, it } from "vitest";
import { toNumberedFolderName } from "#domain/files/folders/folder-tree.ts";
import {
  cutGistDescription,
  GIST_FILES_MAX,
  GISTS_MAX,
  nameGistFolder,
  parseGistUrl,
} from "#domain/files/gist.ts";
import { checkGistFile, gistImport, parseGists } from "#domain/files/gist-schema.ts";

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
    expect([toNumberedFolderName("one", 1), toNumberedFolderName("one", 2)]).toEqual(["one", "one (2)"]);
    expect([...toNumberedFolderName("🙂".repeat(255), 12)]).toHaveLength(255);
  });
});

it("a description is cut to what a file has room for", () => {
  expect([...cutGistDescription(` ${"ש".repeat(600)} `)]).toHaveLength(500);
});

describe("the address of a gist", () => {
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
    expect(parseGistUrl(written, "https://api.example.org")).toBe(id);
  });
});

const files = { "a.py": { content: "1" } };

describe("gists as the code host answers them", () => {
  it("are one or a list, with the name of a file from its record or else its key", () => {
    const answer = {
      description: null,
      files: { "a.py": { content: "1" }, key: { filename: "b.py", content: "" } },
    };
    const gist = {
      description: "",
      files: [
        { name: "a.py", body: "1" },
        { name: "b.py", body: "" },
      ],
    };

    expect(parseGists(answer)).toEqual([gist]);
    expect(parseGists([answer, answer])).toEqual([gist, gist]);
  });

  it("say why a text is missing", () => {
    const cut = { content: "1", truncated: true };

    expect(parseGists({ description: "d", files: { cut, none: {} } })).toEqual([
      {
        description: "d",
        files: [
          { name: "cut", missing: "truncated" },
          { name: "none", missing: "no_content" },
        ],
      },
    ]);
  });

  const numbered = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.py`, { content: "" }]));

  it.each([
    ["no list", 5, { field: "" }],
    ["an empty list", [], { max: GISTS_MAX }],
    ["no files", { files: {} }, { field: "files" }],
    ["files of a wrong kind", { files: [] }, { field: "files" }],
    ["a wrong text in one", { files: { "a.py": { content: 5 } } }, { field: "files.a.py.content" }],
    ["a wrong one of several", [{ files }, { files: { b: 1 } }], { field: "1.files.b" }],
    ["too many files", { files: numbered(GIST_FILES_MAX + 1) }, { field: "files", max: GIST_FILES_MAX }],
    ["too many", Array(GISTS_MAX + 1).fill({ files }), { max: GISTS_MAX }],
  ])("are refused with %s", (_, input, context) => {
    expect(parseGists(input)).toMatchObject({ refused: "invalid_gist", context });
  });

  it("may be as many as allowed, with as many files", () => {
    expect(parseGists(Array(GISTS_MAX).fill({ files }))).toHaveLength(GISTS_MAX);
    expect(parseGists({ files: numbered(GIST_FILES_MAX) })).toHaveLength(1);
  });
});

describe("the import of gists", () => {
  it.each([{ gist: { files } }, { url: "https://code.example/1" }])("takes %j", (input) => {
    expect(gistImport.safeParse(input).success).toBe(true);
  });

  it.each([{}, { gist: { files }, url: "https://code.example/1" }])("does not take %j", (input) => {
    expect(gistImport.safeParse(input).success).toBe(false);
  });
});

it("says why a file of a gist cannot be kept", () => {
  expect(checkGistFile({ name: "a.py", body: "1" })).toBeNull();
  expect(checkGistFile({ name: "", body: "1" })).toMatchObject({ refused: "missing_file_name" });
});
