import { describe, expect, it } from "vitest";
import { findNamedFolder, listFolderPaths } from "#domain/folders/folder-choices.ts";
import type { Folder, FolderTree } from "#domain/folders/folder-tree.ts";

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
    expect(listFolderPaths(tree).map(({ path }) => path)).toEqual(["Docs", "lib", "lib/parsers"]);
    expect(listFolderPaths(tree, id(1)).map(({ path }) => path)).toEqual(["Docs"]);
  });

  it("are named by id or by path", () => {
    expect(findNamedFolder(tree, "root")).toBeNull();
    expect(findNamedFolder(tree, id(2))).toBe(id(2));
    expect(findNamedFolder(tree, "LIB/parsers/")).toBe(id(2));
    for (const named of ["", "/", "lib/none", "gone", "gone/within", id(5), id(9)])
      expect(findNamedFolder(tree, named), named).toBeUndefined();
  });
});
