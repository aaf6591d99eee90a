import { describe, expect, it } from "vitest";
import {
  chooseFolder,
  parseEntryName,
  showPath,
  toLeftOutReason,
  toTargetPath,
} from "#domain/library-zip/code-zip.ts";
import type { RefusalCode } from "#domain/refusal.ts";

it.each([
  ["lib/a.py", { path: "lib/a.py" }],
  ["lib\\win\\a.py", { path: "lib/win/a.py" }],
  ["././a.py", { path: "a.py" }],
  ["e\u0301.py", { path: "\u00e9.py" }],
  ["lib/", null],
  ["./", null],
  ["../a.py", { path: "../a.py", why: "outside" }],
  ["lib/../../a.py", { path: "lib/../../a.py", why: "outside" }],
  ["/etc/passwd", { path: "/etc/passwd", why: "outside" }],
  ["C:\\a.py", { path: "C:/a.py", why: "outside" }],
  ["node_modules/x/a.js", { path: "node_modules/x/a.js", junk: "node_modules" }],
  ["lib/.DS_Store", { path: "lib/.DS_Store", junk: ".DS_Store" }],
  ["lib/.env", { path: "lib/.env", why: "may_hold_secrets" }],
  ["lib//a.py", { path: "lib//a.py", why: "bad_name" }],
  ["lib/a\u0001.py", { path: "lib/a\u0001.py", why: "bad_name" }],
  [`${"d/".repeat(17)}a.py`, { path: `${"d/".repeat(17)}a.py`, why: "too_deep" }],
])("the name %j of an entry in a zip of code is interpreted", (name, entry) => {
  expect(parseEntryName(name)).toEqual(entry);
});

describe("the files of a zip of code go", () => {
  const SITE = { name: "site", added: ["site"] };
  it.each([
    [
      "to the one folder that the zip has",
      "main.zip",
      ["repo/a.py", "repo/lib/b.py"],
      { name: "repo", added: [] },
    ],
    ["to a folder with the name of the zip where there are several", "site.ZIP", ["a/x", "b/y"], SITE],
    ["to a folder with the name of the zip where one file is in none", "site.zip", ["a/x", "y"], SITE],
    [
      "to a folder with a plain name where that of the zip is none",
      "..zip",
      ["a"],
      { name: "zip", added: ["zip"] },
    ],
  ])("%s", (_, name, paths, folder) => {
    expect(chooseFolder(name, paths)).toEqual(folder);
  });

  it("no deeper than folders may be", () => {
    expect(toTargetPath(["a"], "b/c.py")).toEqual({ folders: ["a", "b"], file_name: "c.py" });
    expect(toTargetPath(["a"], `${"d/".repeat(16)}c.py`)).toBe("too_deep");
  });
});

describe("a file that stays out", () => {
  it.each<[RefusalCode, string | undefined]>([
    ["binary_content", "not_text"],
    ["payload_too_large", "too_large"],
    ["missing_file_name", "bad_name"],
    ["reserved_file_name", "bad_name"],
    ["invalid_folder_name", "bad_name"],
    ["path_with_dots", "bad_name"],
    ["path_with_backslash", "bad_name"],
    ["name_of_file", "name_taken"],
    ["name_of_folder", "name_taken"],
    ["folder_limit", "no_folder"],
    ["library_full", undefined],
  ])("because of %s is told as %s", (code, reason) => {
    expect(toLeftOutReason(code)).toBe(reason);
  });

  it("is named by at most 300 characters of its path", () => {
    expect(showPath("a".repeat(300))).toBe("a".repeat(300));
    expect(showPath(`${"a".repeat(300)}b`)).toBe(`${"a".repeat(300)}…`);
  });
});
