import { describe, expect, it } from "vitest";
import {
  BODY_MAX_BYTES,
  checkBody,
  checkDescription,
  checkFileName,
  checkTagList,
  checkTags,
  countLines,
  DESCRIPTION_MAX,
  decodeBody,
  FILE_NAME_MAX,
} from "#domain/files/file.ts";
import {
  NO_DETAILS,
  omitEmptyDetails,
  parseDetails,
  pickDetails,
  toTypedDetails,
} from "#domain/files/file-details.ts";
import { detailChanges, recordedDetails, toFileFields } from "#domain/files/file-schema.ts";
import { detectLanguage, LANGUAGE_NAMES, languageLabel } from "#domain/files/language.ts";
import { listNameForms, toComposedName } from "#domain/files/name-forms.ts";
import { dedupeTags, findSpelling, listTagKeys } from "#domain/files/tags.ts";
import { checkBySchema } from "#domain/schema.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("a file name", () => {
  it.each(["a", "main.py", ".env", "שלום.txt", "a b.c", "🙂".repeat(255), "...", "CON"])(
    "may be %j",
    (name) => {
      expect(checkFileName(name)).toBe(name);
    },
  );

  it.each([
    ["a path", "a/b", "invalid_file_name"],
    ["a path of Windows", "a\\b", "invalid_file_name"],
    ["with NUL", "a\0b", "invalid_file_name"],
    ["with a newline", "a\nb", "invalid_file_name"],
    ["with a C1 control", "a\u0085b", "invalid_file_name"],
    ["with a line separator", "a\u2028b", "invalid_file_name"],
    ["with half a surrogate pair", "a\ud800", "invalid_file_name"],
    ["longer than 255 characters", "🙂".repeat(256), "invalid_file_name"],
    ["a number", 7, "invalid_file_name"],
    ["undefined", undefined, "invalid_file_name"],
    ["empty", "", "missing_file_name"],
    ["blank", "  ", "missing_file_name"],
    ["that of the folder it is in", ".", "reserved_file_name"],
    ["that of the folder above", "..", "reserved_file_name"],
  ])("may not be %s", (_, name, refused) => {
    expect(checkFileName(name)).toMatchObject({ refused });
  });
});

describe("a body", () => {
  it("is kept exactly, its line ends included", () => {
    expect(checkBody("a\r\nb\n\n")).toBe("a\r\nb\n\n");
  });

  it("keeps a byte-order mark, as all it is given", () => {
    expect(checkBody("\uFEFFa\uFEFF")).toBe("\uFEFFa\uFEFF");
    expect(decodeBody(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe("\uFEFFa");
  });

  it("may have as many bytes as allowed and not one more", () => {
    const most = "א".repeat(BODY_MAX_BYTES / 2);
    expect(checkBody(most)).toBe(most);
    expect(checkBody(`${most}x`)).toMatchObject({
      refused: "payload_too_large",
      context: { max: BODY_MAX_BYTES },
    });
  });

  it.each([
    ["a NUL", bytes(0x61, 0, 0x62)],
    ["bytes that are not UTF-8", bytes(0xe9, 0x74, 0xe9)],
    ["the head of a PNG", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ["an encoded surrogate", bytes(0xed, 0xa0, 0x80)],
  ])("is refused as binary for %s", (_, content) => {
    expect(decodeBody(content)).toMatchObject({ refused: "binary_content" });
  });

  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["\n\n", 2],
  ])("%j has %i lines", (body, lines) => {
    expect(countLines(body)).toBe(lines);
  });
});

describe("description and tags", () => {
  it("counts a description in characters", () => {
    expect(checkDescription("ש".repeat(500))).toBe("ש".repeat(500));
    expect(checkDescription("ש".repeat(501))).toMatchObject({ refused: "description_too_long" });
  });

  it("takes tags as people type them, each once", () => {
    expect(checkTags(" web, #web ,כלים,\n a b ,")).toEqual(["web", "כלים", "a b"]);
    const tags = checkTags("##c, # d, c#, #");
    expect(tags).toEqual(["c", "d", "c#"]);
    expect(checkTagList(["c", "d", "c#"])).toEqual(tags);
  });

  it("refuses a tag too many and a tag too long", () => {
    const tags = Array.from({ length: 20 }, (_, i) => `t${i}`);
    expect(checkTags(tags.join(","))).toHaveLength(20);
    expect(checkTags([...tags, "one"].join(","))).toMatchObject({ refused: "invalid_tags" });
    expect(checkTags("x".repeat(51))).toMatchObject({ refused: "invalid_tags" });
  });
});

describe("the details of a file", () => {
  it("are empty where nothing is said, and picked from among other things", () => {
    expect(NO_DETAILS).toEqual({ description: "", tags: [] });
    expect(pickDetails({ ...{ file_name: "a.py" }, description: "", tags: undefined })).toEqual({
      description: "",
    });
  });

  it("are read from what is typed, each by its own rule, and written so that they are read alike", () => {
    const details = { description: "about", tags: ["a", "b"] };
    expect(parseDetails({ description: "about", tags: "a, b" })).toEqual(details);
    expect(parseDetails({ tags: "" })).toEqual({ tags: [] });
    const long = { description: "x".repeat(DESCRIPTION_MAX + 1), tags: "a" };
    expect(parseDetails(long)).toMatchObject({ refused: "description_too_long" });
    expect(toTypedDetails(details)).toEqual({ description: "about", tags: "a, b" });
    expect(parseDetails(toTypedDetails(details))).toEqual(details);
  });

  it("are left out if they are empty or not given", () => {
    expect(omitEmptyDetails({ description: "", tags: ["a"] })).toEqual({ tags: ["a"] });
    expect(omitEmptyDetails({ description: "about" })).toEqual({ description: "about" });
    expect(omitEmptyDetails({ tags: [] })).toEqual({});
  });

  it("have an empty value in a record of an older export that lacks them", () => {
    expect(recordedDetails.tags.parse(undefined)).toEqual([]);
    expect(recordedDetails.description.parse(undefined)).toBe("");
    expect(recordedDetails.description.parse("about")).toBe("about");
  });
});

describe("the changes of a file's details", () => {
  it.each([{}, { file_name: "a.py" }, { folder_id: null }, { tags: [] }, { language: "python" }])(
    "may be %j",
    (changes) => {
      expect(checkBySchema(detailChanges, changes)).toEqual(changes);
    },
  );

  it.each([
    [{ language: "latin" }, "unknown_language"],
    [{ file_name: "" }, "missing_file_name"],
    [{ file_name: "x".repeat(FILE_NAME_MAX + 1) }, "invalid_file_name"],
    [{ body: "x" }, "invalid_payload"],
    [{ folder_id: "x" }, "invalid_payload"],
  ])("may not be %j", (changes, refused) => {
    expect(checkBySchema(detailChanges, changes)).toMatchObject({ refused });
  });
});

it("takes the fields of a file from a record that has more", () => {
  const fields = {
    ...{ file_name: "a.py", language: "python", description: "", tags: [], repo: null, source_url: null },
    ...{ version: 1, is_favorite: false, is_pinned: true },
  };
  expect(toFileFields({ ...fields, owner: "7" } as typeof fields)).toEqual(fields);
});

it("counts tags as one that differ in their case alone, and finds and keeps the first spelling", () => {
  expect(listTagKeys(["Web", "web", "api"])).toEqual(["web", "api"]);
  expect(dedupeTags(["Web", "api", "WEB"])).toEqual(["Web", "api"]);
  expect(findSpelling(["api", "Web"], "web")).toBe("Web");
  expect(findSpelling(["api"], "web")).toBeUndefined();
});

const COMPOSED = "caf\u00e9.py";
const DECOMPOSED = "cafe\u0301.py";

it("composes a name, and lists the forms that it has, the given one first", () => {
  expect(toComposedName(DECOMPOSED)).toBe(COMPOSED);
  expect(listNameForms(DECOMPOSED)).toEqual([DECOMPOSED, COMPOSED]);
  expect(listNameForms(COMPOSED)).toEqual([COMPOSED, DECOMPOSED]);
  expect(listNameForms("a.py")).toEqual(["a.py"]);
});

describe("the language of a file", () => {
  it.each([
    ["main.py", "", "python"],
    ["MAIN.PY", "", "python"],
    ["a.test.tsx", "", "typescript"],
    ["Dockerfile", "", "dockerfile"],
    ["logo.svg", "", "svg"],
    [".env", "", "ini"],
    ["README", "", "markdown"],
    ["notes.txt", "#!/bin/sh\n", "text"],
    ["run", "#!/usr/bin/env python3\n", "python"],
    ["run", "#!/usr/bin/env -S node --flag\n", "javascript"],
    ["run", "#!/bin/sh -e\n", "bash"],
    ["run", "#! /usr/bin/perl\n", "perl"],
    ["snippet", '{"a": [1]}', "json"],
    ["snippet", "<?xml version='1.0'?>\n<svg xmlns='x'/>", "svg"],
    ["snippet", "<!DOCTYPE html><p>", "html"],
    ["snippet", "import os\n\ndef main():\n    pass\n", "python"],
    ["snippet", "import x from 'y'\n", "javascript"],
    ["snippet", "package main\n\nfunc main() {}\n", "go"],
    ["snippet", "SELECT a FROM b ", "sql"],
    ["snippet", "# Title\n\ntext", "markdown"],
    ["snippet", "just words", "text"],
    ["snippet", "", "text"],
  ])(
    "called %s that begins with %j is told by its name, else its shebang, else its content",
    (name, body, language) => {
      expect(detectLanguage(name, body)).toBe(language);
    },
  );

  it("is told by the beginning and the end of a text that is too long to read as JSON", () => {
    expect(detectLanguage("long", `[${'{"a": 1}, '.repeat(10_000)}{}]\n`)).toBe("json");
    expect(detectLanguage("long", `{${"block; ".repeat(20_000)}}`)).toBe("text");
    expect(detectLanguage("long", "[".repeat(100_000))).toBe("text");
  });

  it("has a name of lower-case letters in every row", () => {
    expect(LANGUAGE_NAMES.filter((name) => !/^[a-z]+$/.test(name))).toEqual([]);
  });

  it("is offered in the order of the labels that people read", () => {
    const labels = LANGUAGE_NAMES.map((name) => languageLabel(name).toLowerCase());
    expect(labels).toEqual(labels.toSorted());
  });
});
