import { describe, expect, it } from "vitest";
import { parseFilePath } from "#domain/folders/file-path.ts";

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
