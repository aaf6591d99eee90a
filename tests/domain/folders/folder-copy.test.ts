import { describe, expect, it } from "vitest";
import { copyFolders } from "#domain/folders/folder-copy.ts";
import { FOLDER_DEPTH_MAX, FOLDERS_MAX, type Folder, type FolderTree } from "#domain/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

const NOON = new Date("2026-11-14T12:00:00.000Z");
const folder = (id: string, parent_id: string | null, more: Partial<Folder> = {}): Folder => ({
  ...{ id, parent_id, name: id, created_at: NOON, updated_at: NOON, deleted_at: null, expires_at: null },
  ...more,
});
const toTree = (...folders: Folder[]): FolderTree => new Map(folders.map((one) => [one.id, one]));

function copy(tree: FolderTree, id: string, parent_id: string | null, isDeep = true) {
  let made = 0;
  const createId = () => {
    made += 1;
    return `copy-${made}`;
  };
  const copies = copyFolders(
    tree,
    required(tree.get(id)),
    { name: "new", parent_id },
    { isDeep, createId, now: NOON },
  );
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
    const kept = toTree(folder("a", null, { dead_properties: [property] }), folder("b", "a"));
    const copies = copyFolders(
      kept,
      required(kept.get("a")),
      { name: "new", parent_id: null },
      {
        isDeep: true,
        createId: () => "copy",
        now: NOON,
      },
    );
    expect(copies).toMatchObject([{ copy: { dead_properties: [property] } }, { copy: { name: "b" } }]);
  });
});
