import { describe, expect, it } from "vitest";
import { findFolderByIdOrPath, listFolderPaths } from "#domain/files/folders/folder-choices.ts";
import type { Folder, FolderTree } from "#domain/files/folders/folder-tree.ts";
import { ownProcessorMs } from "#tests/support/measures/processor-time.ts";

const NOW = new Date("2037-11-14T12:00:00Z");
const id = (n: number) => String(n).padStart(24, "0");
const folder = (n: number, parent: number | null, name: string, deleted = false): [string, Folder] => [
  id(n),
  {
    ...{ id: id(n), parent_id: parent === null ? null : id(parent), name },
    ...{ created_at: NOW, updated_at: NOW },
    ...{ deleted_at: deleted ? NOW : null, expires_at: deleted ? NOW : null },
  },
];
const tree: FolderTree = new Map([
  folder(1, null, "lib"),
  folder(2, 1, "parsers"),
  folder(3, null, "Docs"),
  folder(4, null, "gone", true),
  folder(5, 4, "within"),
]);

describe("the folders that a form offers", () => {
  it("are the living ones by their paths, without one and what is in it", () => {
    expect(listFolderPaths(tree, 10).map(({ path }) => path)).toEqual(["Docs", "lib", "lib/parsers"]);
    expect(listFolderPaths(tree, 10, id(1)).map(({ path }) => path)).toEqual(["Docs"]);
  });

  it("are the first so many, each with what is in it behind it", () => {
    const alike: FolderTree = new Map([...tree, folder(6, null, "lib 2"), folder(7, null, "lib-2")]);
    const paths = ["Docs", "lib", "lib/parsers", "lib 2", "lib-2"];
    expect(listFolderPaths(alike, 10).map(({ path }) => path)).toEqual(paths);
    expect(listFolderPaths(alike, 2).map(({ path }) => path)).toEqual(paths.slice(0, 2));
  });

  it("are listed without holding up others where there are thousands of long paths", async () => {
    const deep = new Map<string, Folder>();
    const add = (parent: number | null, name: string) => {
      deep.set(...folder(deep.size, parent, name));
      return deep.size - 1;
    };
    let last: number | null = null;
    for (let depth = 0; depth < 14; depth += 1) last = add(last, "İ".repeat(255));
    for (let n = 0; n < 2_490; n += 1) add(add(last, `${"İ".repeat(250)}${n}`), "a");
    const ms = await ownProcessorMs(() => expect(listFolderPaths(deep, 5_000)).toHaveLength(4_994));
    expect(ms).toBeLessThan(700);
  });

  it("are named by id or by path", () => {
    expect(findFolderByIdOrPath(tree, "root")).toBeNull();
    expect(findFolderByIdOrPath(tree, id(2))).toBe(id(2));
    expect(findFolderByIdOrPath(tree, "LIB/parsers/")).toBe(id(2));
    for (const target of ["", "/", "lib/none", "gone", "gone/within", id(5), id(9)])
      expect(findFolderByIdOrPath(tree, target), target).toBeUndefined();
  });
});
