import { expect, it } from "vitest";
import { findJunk, isJunkFolder } from "#domain/files/junk-path.ts";

it.each([
  ["app/node_modules/x/index.js", "node_modules"],
  [".git/config", ".git"],
  ["a/.DS_Store", ".DS_Store"],
  ["Thumbs.db", "Thumbs.db"],
])("leaves out %s for %s", (path, junk) => {
  expect(findJunk(path)).toBe(junk);
});

it.each(["a.py", "node_modules", "src/.gitignore", ".DS_Store/a.py", "my.git/a"])("keeps %s", (path) => {
  expect(findJunk(path)).toBeUndefined();
});

it("knows the folders that tools fill", () => {
  expect(isJunkFolder("__pycache__")).toBe(true);
  expect(isJunkFolder("src")).toBe(false);
});
