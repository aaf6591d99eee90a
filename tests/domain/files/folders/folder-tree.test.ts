import { describe, expect, it } from "vitest";
import { copyFolders } from "#domain/files/folders/folder-copy.ts";
import {
  changeFolderEntry,
  createFolderEntry,
  FOLDER_DEPTH_MAX,
  FOLDERS_MAX,
  type Folder,
  type FolderTree,
  findTrail,
  followPath,
  isFolderId,
  listChildren,
  listSubtree,
  restoreFolderEntry,
  toItemPath,
  trashFolderEntry,
} from "#domain/files/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const NOON = new Date("2026-11-14T12:00:00.000Z");
const LATER = new Date("2026-12-14T12:00:00.000Z");

function withFolder(tree: FolderTree, id: string, name: string, parent_id: string | null = null): FolderTree {
  const folder = orThrow(createFolderEntry(tree, { id, name, parent_id }, NOON));
  return put(tree, folder);
}

const put = (tree: FolderTree, folder: Folder): FolderTree => new Map([...tree, [folder.id, folder]]);
const NONE: FolderTree = new Map();
/** lib (a) with parsers (b) with json (c), and Notes (d). */
const TREE = withFolder(
  withFolder(withFolder(withFolder(NONE, "a", "lib"), "b", "parsers", "a"), "c", "json", "b"),
  "d",
  "Notes",
);

describe("a folder", () => {
  it("is found by a path, whatever the case of its names", () => {
    expect(followPath(TREE, ["LIB", "Parsers"]).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(followPath(TREE, ["lib", "none", "json"]).map(({ id }) => id)).toEqual(["a"]);
  });

  it("has a trail, and gives what is in it a path", () => {
    expect(findTrail(TREE, "c")?.map(({ name }) => name)).toEqual(["lib", "parsers", "json"]);
    expect(toItemPath(TREE, "c", "a.py")).toBe("lib/parsers/json/a.py");
    expect(toItemPath(TREE, null, "a.py")).toBe("a.py");
  });

  it("is listed by name, and numbers in names count as numbers", () => {
    const tree = ["10", "9", "b", "A"].reduce((sum, name) => withFolder(sum, `x${name}`, name), TREE);
    expect(listChildren(tree, null).map(({ name }) => name)).toEqual(["9", "10", "A", "b", "lib", "Notes"]);
  });

  it("shares its name with no other folder beside it, in whatever case or form", () => {
    const accented = withFolder(TREE, "e", "caf\u00e9");
    for (const name of ["lib", "LIB", "cafe\u0301"])
      expect(createFolderEntry(accented, { id: "f", name, parent_id: null }, NOON)).toMatchObject({
        refused: "folder_name_taken",
      });
    expect(createFolderEntry(TREE, { id: "e", name: "lib", parent_id: "a" }, NOON)).toMatchObject({
      name: "lib",
    });
  });

  it("keeps its name when only its case changes", () => {
    expect(changeFolderEntry(TREE, "a", { name: "LIB" }, LATER)).toMatchObject({
      name: "LIB",
      updated_at: LATER,
    });
  });

  it("never comes to lie within itself", () => {
    for (const parent_id of ["a", "b", "c"])
      expect(changeFolderEntry(TREE, "a", { parent_id }, NOON)).toMatchObject({
        refused: "folder_into_itself",
      });
    expect(changeFolderEntry(TREE, "a", { parent_id: "d" }, NOON)).toMatchObject({ parent_id: "d" });
  });

  it("is not put into a folder that is missing or in the trash", () => {
    const trashed = put(TREE, orThrow(trashFolderEntry(TREE, "a", NOON, LATER)));
    for (const parent_id of ["z", "a", "b"])
      expect(createFolderEntry(trashed, { id: "e", name: "new", parent_id }, NOON)).toMatchObject({
        refused: "folder_not_found",
      });
  });

  it("lies 16 deep at most, with all that is in it", () => {
    let tree = NONE;
    for (let depth = 1; depth <= FOLDER_DEPTH_MAX; depth += 1)
      tree = withFolder(tree, `f${depth}`, `f${depth}`, depth === 1 ? null : `f${depth - 1}`);
    expect(
      createFolderEntry(tree, { id: "x", name: "x", parent_id: `f${FOLDER_DEPTH_MAX}` }, NOON),
    ).toMatchObject({
      refused: "folder_too_deep",
    });
    const two = withFolder(withFolder(tree, "p", "p"), "q", "q", "p");
    const parent = `f${FOLDER_DEPTH_MAX - 1}`;
    expect(changeFolderEntry(two, "p", { parent_id: parent }, NOON)).toMatchObject({
      refused: "folder_too_deep",
    });
    expect(changeFolderEntry(two, "q", { parent_id: parent }, NOON)).toMatchObject({ parent_id: parent });
  });

  it("is one of 5,000 at most", () => {
    const folder = required(TREE.get("a"));
    const full = new Map(
      Array.from({ length: FOLDERS_MAX }, (_, i) => [`n${i}`, { ...folder, id: `n${i}`, name: `n${i}` }]),
    );
    expect(createFolderEntry(full, { id: "x", name: "x", parent_id: null }, NOON)).toMatchObject({
      refused: "folder_limit",
    });
  });
});

describe("a folder in the trash", () => {
  const trashed = put(TREE, orThrow(trashFolderEntry(TREE, "b", NOON, LATER)));

  it("is gone with all that is in it, and leaves its name free", () => {
    expect([findTrail(trashed, "b"), findTrail(trashed, "c")]).toEqual([null, null]);
    expect(listSubtree(trashed, "b")).toEqual(["b", "c"]);
    expect(toItemPath(trashed, "c", "a.py")).toBe("a.py");
    expect(createFolderEntry(trashed, { id: "e", name: "parsers", parent_id: "a" }, NOON)).toMatchObject({
      id: "e",
    });
  });

  it("comes back where it was", () => {
    expect(restoreFolderEntry(trashed, "b", NOON)).toEqual(required(TREE.get("b")));
  });

  it("comes back under a numbered name where its own is taken", () => {
    const occupied = withFolder(trashed, "e", "Parsers", "a");
    expect(restoreFolderEntry(occupied, "b", NOON)).toMatchObject({ name: "parsers (2)", parent_id: "a" });
  });

  it("comes back at the root where the folder it was in is gone", () => {
    const both = put(trashed, orThrow(trashFolderEntry(trashed, "a", NOON, LATER)));
    expect(restoreFolderEntry(both, "b", NOON)).toMatchObject({ parent_id: null, deleted_at: null });
  });

  it("does not come back after its time, nor where it is not in the trash", () => {
    expect(restoreFolderEntry(trashed, "b", LATER)).toMatchObject({ refused: "folder_not_found" });
    expect(restoreFolderEntry(trashed, "a", NOON)).toMatchObject({ refused: "folder_not_found" });
  });
});

it("an id has 24 hexadecimal digits", () => {
  const ids = ["0123456789abcdef01234567", "0123456789ABCDEF01234567", "root", ""];
  expect(ids.filter(isFolderId)).toEqual(["0123456789abcdef01234567"]);
});

const folder = (id: string, parent_id: string | null, more: Partial<Folder> = {}): Folder => ({
  ...{ id, parent_id, name: id, created_at: NOON, updated_at: NOON, deleted_at: null, expires_at: null },
  ...more,
});
const toTree = (...folders: Folder[]): FolderTree => new Map(folders.map((entry) => [entry.id, entry]));

function copy(tree: FolderTree, id: string, parent_id: string | null, isDeep = true) {
  let count = 0;
  const createId = () => {
    count += 1;
    return `copy-${count}`;
  };
  const options = { isDeep, createId, now: NOON };
  const copies = copyFolders(tree, required(tree.get(id)), { name: "new", parent_id }, options);
  if (isRefusal(copies)) return copies.refused;
  return copies.map(({ source, below, copy: made }) => [
    source.id,
    below.join("/"),
    isRefusal(made) ? made.refused : made.parent_id,
  ]);
}

describe("the copy of a folder", () => {
  const property = { namespace: "urn:x", name: "x", xml: '<x xmlns="urn:x"/>' };
  const tree = toTree(
    folder("a", null),
    folder("b", "a"),
    folder("c", "b"),
    folder("gone", "a", { deleted_at: NOON, expires_at: NOON }),
    folder("new", "a"),
  );

  it("has copies of the folders in it, and none of those in the trash", () => {
    expect(copy(tree, "a", null)).toEqual([
      ["a", "", null],
      ["b", "b", "copy-1"],
      ["new", "new", "copy-1"],
      ["c", "b/c", "copy-2"],
    ]);
    expect(copy(tree, "a", null, false)).toEqual([["a", "", null]]);
  });

  it("is refused where its name is taken", () => {
    expect(copy(tree, "b", "a")).toBe("folder_name_taken");
  });

  it("leaves out what would be too deep, and what is in that", () => {
    const deep = Array.from({ length: FOLDER_DEPTH_MAX - 2 }, (_, n) =>
      folder(`d${n}`, n === 0 ? null : `d${n - 1}`),
    );
    const copied = copy(toTree(...tree.values(), ...deep, folder("e", "c")), "a", `d${FOLDER_DEPTH_MAX - 3}`);
    expect(copied).toEqual([
      ["a", "", `d${FOLDER_DEPTH_MAX - 3}`],
      ["b", "b", "copy-1"],
      ["new", "new", "copy-1"],
      ["c", "b/c", "folder_too_deep"],
    ]);
  });

  it("leaves out folders beyond the limit", () => {
    const many = Array.from({ length: FOLDERS_MAX - 7 }, (_, n) => folder(`m${n}`, null));
    expect(copy(toTree(...tree.values(), ...many), "a", null)).toEqual([
      ["a", "", null],
      ["b", "b", "copy-1"],
      ["new", "new", "folder_limit"],
      ["c", "b/c", "folder_limit"],
    ]);
  });

  it("keeps what clients keep on the folders", () => {
    const source = toTree(folder("a", null, { dead_properties: [property] }), folder("b", "a"));
    const options = { isDeep: true, createId: () => "copy", now: NOON };
    const copies = copyFolders(source, required(source.get("a")), { name: "new", parent_id: null }, options);
    expect(copies).toMatchObject([{ copy: { dead_properties: [property] } }, { copy: { name: "b" } }]);
  });
});
