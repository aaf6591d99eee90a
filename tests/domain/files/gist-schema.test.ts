import { describe, expect, it } from "vitest";
import { GIST_FILES_MAX, GISTS_MAX } from "#domain/files/gist.ts";
import { checkGistFile, gistImport, parseGists } from "#domain/files/gist-schema.ts";

const files = { "a.py": { content: "1" } };

describe("gists as the code host answers them", () => {
  it("are one or a list, with the name of a file from its record or else its key", () => {
    const one = {
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

    expect(parseGists(one)).toEqual([gist]);
    expect(parseGists([one, one])).toEqual([gist, gist]);
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
  ])("are refused with %s", (_, given, context) => {
    expect(parseGists(given)).toMatchObject({ refused: "invalid_gist", context });
  });

  it("may be as many as allowed, with as many files", () => {
    expect(parseGists(Array(GISTS_MAX).fill({ files }))).toHaveLength(GISTS_MAX);
    expect(parseGists({ files: numbered(GIST_FILES_MAX) })).toHaveLength(1);
  });
});

describe("the import of gists", () => {
  it.each([{ gist: { files } }, { url: "https://code.example/1" }])("takes %j", (given) => {
    expect(gistImport.safeParse(given).success).toBe(true);
  });

  it.each([{}, { gist: { files }, url: "https://code.example/1" }])("does not take %j", (given) => {
    expect(gistImport.safeParse(given).success).toBe(false);
  });
});

it("says why a file of a gist cannot be kept", () => {
  expect(checkGistFile({ name: "a.py", body: "1" })).toBeNull();
  expect(checkGistFile({ name: "", body: "1" })).toMatchObject({ refused: "missing_file_name" });
});
