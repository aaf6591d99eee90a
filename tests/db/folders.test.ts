import { describe, expect, it } from "vitest";
import { updateDetails } from "#db/files/file-details.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { findFile, findFileByName, readBody } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { listFolderContents } from "#db/folders/folder-contents.server.ts";
import { findFileByPath, listFilesWithin, moveFiles } from "#db/folders/folder-files.server.ts";
import {
  deleteFolder,
  listTrashedFolders,
  restoreTrashedFolder,
  tidyFolders,
} from "#db/folders/folder-trash.server.ts";
import { createFolder, makeFolders, readFolders, updateFolder } from "#db/folders/folders.server.ts";
import { FILE_SORTS } from "#domain/files/file.ts";
import { type Folder, findFolder, findTrail, toPath } from "#domain/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db } = await openTestStore();
let people = 0;
const newOwner = () => {
  people += 1;
  return `folders-${people}`;
};

const create = async (owner: string, name: string, parent_id: string | null = null): Promise<Folder> =>
  orThrow(await createFolder(db, owner, { name, parent_id }, NOON));
const save = async (owner: string, file_name: string, folder_id: string | null, body = "x\n") =>
  orThrow(await saveFile(db, owner, { file_name, folder_id, body }, NOON)).file;
const put = async (owner: string, path: string, body = "x\n") => {
  const names = path.split("/");
  const file_name = required(names.pop());
  return orThrow(await putFile(db, owner, { file_name, folders: names, body }, NOON));
};
const listNames = async (owner: string, folder: string | undefined) =>
  orThrow(await listFiles(db, owner, { folder, sort: "name_asc", limit: 100 })).files.map(
    ({ file_name }) => file_name,
  );

describe("a name", () => {
  it("is used once within a folder, and again in another one", async () => {
    const owner = newOwner();
    const lib = await create(owner, "lib");
    const first = await save(owner, "a.py", lib.id, "1\n");
    const atRoot = await save(owner, "a.py", null, "2\n");
    const again = await save(owner, "a.py", lib.id, "3\n");
    expect(again.id).toBe(first.id);
    expect(atRoot.id).not.toBe(first.id);
    expect(await readBody(db, owner, required(await findFile(db, owner, first.id)))).toBe("3\n");
    expect(await updateDetails(db, owner, atRoot.id, { folder_id: lib.id })).toMatchObject({
      refused: "name_taken",
    });
  });

  it("of a file from before folders stands at the root", async () => {
    const owner = newOwner();
    const { id } = await save(owner, "old.py", null);
    await db.files.updateOne({ user_id: owner }, { $unset: { folder_id: 1 } });
    expect(await findFileByName(db, owner, "old.py")).toMatchObject({ id, folder_id: null });
    expect((await save(owner, "old.py", null, "2\n")).id).toBe(id);
    expect(await listNames(owner, "root")).toEqual(["old.py"]);
  });
});

describe("a list", () => {
  it("of a folder has the files right in it, in each order", async () => {
    const owner = newOwner();
    await put(owner, "lib/a.py", "1\n");
    await put(owner, "lib/b.py", "22\n");
    await put(owner, "lib/deep/c.py");
    await put(owner, "d.py");
    const [lib] = [...(await readFolders(db, owner)).values()];
    for (const sort of FILE_SORTS) {
      const page = orThrow(await listFiles(db, owner, { folder: required(lib).id, sort, limit: 1 }));
      const cursor = required(page.next_cursor ?? undefined);
      const rest = orThrow(await listFiles(db, owner, { folder: required(lib).id, sort, cursor, limit: 9 }));
      const names = [...page.files, ...rest.files].map(({ file_name }) => file_name);
      expect(names.toSorted(), sort).toEqual(["a.py", "b.py"]);
    }
    expect(await listNames(owner, undefined)).toEqual(["a.py", "b.py", "c.py", "d.py"]);
    expect(await listNames(owner, "root")).toEqual(["d.py"]);
  });

  it("by name neither repeats nor skips files of one name in several folders", async () => {
    const owner = newOwner();
    for (const path of ["a/x.py", "b/x.py", "c/x.py", "y.py"]) await put(owner, path);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = orThrow(await listFiles(db, owner, { sort: "name_desc", cursor, limit: 1 }));
      seen.push(...page.files.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(4);
    expect(seen).toHaveLength(4);
  });
});

describe("a path", () => {
  it("makes its missing folders by one write, and finds its file whatever the case of its folders", async () => {
    const owner = newOwner();
    const { file } = await put(owner, "lib/parsers/json.py", "1\n");
    expect((await put(owner, "LIB/parsers/json.py", "2\n")).file.id).toBe(file.id);
    expect(await db.folder_trees.findOne({ _id: owner })).toMatchObject({ revision: 1 });
    expect(await findFileByPath(db, owner, "Lib/Parsers/json.py")).toMatchObject({ id: file.id });
    expect(await findFileByPath(db, owner, "lib/json.py")).toMatchObject({ refused: "file_not_found" });
  });

  it("makes no folder where the expectation fails", async () => {
    const owner = newOwner();
    const given = { file_name: "a.py", folders: ["lib"], body: "x", expects: () => false };
    expect(await putFile(db, owner, given, NOON)).toMatchObject({ refused: "version_changed" });
    expect((await readFolders(db, owner)).size).toBe(0);
  });

  it("of many writers at once has each of its folders once", async () => {
    const owner = newOwner();
    const paths = Array.from({ length: 16 }, (_, i) => `a/b/${i % 2 ? "c" : "C"}/f${i}.py`);
    await Promise.all(paths.map((path) => put(owner, path)));
    const tree = await readFolders(db, owner);
    expect(tree.size).toBe(3);
    const deepest = [...tree.keys()].find((id) => findTrail(tree, id)?.length === 3);
    expect(await listNames(owner, deepest)).toHaveLength(16);
  });
});

describe("a folder", () => {
  it("moves by one write, with everything in it", async () => {
    const owner = newOwner();
    const { file } = await put(owner, "a/b/one.py");
    await put(owner, "c/two.py");
    const tree = await readFolders(db, owner);
    const byName = (name: string) => required([...tree.values()].find((folder) => folder.name === name));
    const before = await db.files.find({ user_id: owner }).toArray();
    orThrow(await updateFolder(db, owner, byName("a").id, { parent_id: byName("c").id }, NOON));
    expect(await findFileByPath(db, owner, "c/a/b/one.py")).toMatchObject({ id: file.id });
    expect(await db.files.find({ user_id: owner }).toArray()).toEqual(before);
  });

  it("never gets into itself, however many move at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const owner = newOwner();
      const folders = await Promise.all(["a", "b", "c", "d"].map((name) => create(owner, name)));
      const moves = folders.flatMap((folder) =>
        folders.map((parent) => updateFolder(db, owner, folder.id, { parent_id: parent.id }, NOON)),
      );
      const answers = await Promise.all(moves);
      expect(answers.some((answer) => !isRefusal(answer))).toBe(true);
      const tree = await readFolders(db, owner);
      for (const { id } of folders) expect(findTrail(tree, id)).not.toBeNull();
    }
  });

  it("gets one name of two that are asked for at once", async () => {
    const owner = newOwner();
    const made = await Promise.all(
      ["same", "Same", "SAME"].map((name) => createFolder(db, owner, { name, parent_id: null }, NOON)),
    );
    expect(made.filter(isRefusal)).toHaveLength(2);
  });

  it("lists all files within it by their paths", async () => {
    const owner = newOwner();
    for (const path of ["a/one.py", "a/b/two.py", "a/b/c/three.py", "d.py"]) await put(owner, path);
    const a = required([...(await readFolders(db, owner)).values()].find(({ name }) => name === "a"));
    const within = orThrow(await listFilesWithin(db, owner, a.id));
    expect(within.map(({ path }) => path)).toEqual(["b/c/three.py", "b/two.py", "one.py"]);
  });
});

describe("moving files", () => {
  it("moves all of them, or none where a name is taken", async () => {
    const owner = newOwner();
    const lib = await create(owner, "lib");
    const files = await Promise.all(["a.py", "b.py"].map((name) => save(owner, name, null)));
    const ids = files.map(({ id }) => id);
    expect(await moveFiles(db, owner, ids, lib.id)).toBe(2);
    expect(await listNames(owner, lib.id)).toEqual(["a.py", "b.py"]);
    await save(owner, "a.py", null);
    expect(await moveFiles(db, owner, ids, null)).toMatchObject({ refused: "name_taken" });
    expect(await listNames(owner, lib.id)).toEqual(["a.py", "b.py"]);
    expect(await moveFiles(db, owner, ids, "0".repeat(24))).toMatchObject({ refused: "folder_not_found" });
  });
});

describe("a deleted folder", () => {
  async function given() {
    const owner = newOwner();
    const files = await Promise.all(["a/one.py", "a/b/two.py"].map((path) => put(owner, path)));
    const earlier = (await put(owner, "a/gone.py")).file;
    await trashFile(db, owner, earlier.id, new Date(NOON.getTime() - DAY_MS));
    const [one] = files;
    orThrow(await pinFile(db, owner, required(one).file.id));
    const a = required([...(await readFolders(db, owner)).values()].find(({ name }) => name === "a"));
    return { owner, a, files: files.map(({ file }) => file), earlier };
  }

  it("takes everything in it along, and brings it back as it was", async () => {
    const { owner, a, files, earlier } = await given();
    const deletion = orThrow(await deleteFolder(db, owner, a.id, {}, NOON));
    expect(deletion).toMatchObject({ files: 2 });
    expect(await listNames(owner, undefined)).toEqual([]);
    expect(await db.file_versions.countDocuments({ user_id: owner, expires_at: deletion.expires_at })).toBe(
      2,
    );
    expect(await listTrashedFolders(db, owner)).toMatchObject([{ id: a.id, files: 2 }]);

    const restored = orThrow(await restoreTrashedFolder(db, owner, a.id, NOON));
    expect(restored).toMatchObject({ files: 2, folder: { id: a.id, name: "a" } });
    expect(await findFileByPath(db, owner, "a/b/two.py")).toMatchObject({ id: required(files[1]).id });
    expect(await findFile(db, owner, required(files[0]).id)).toMatchObject({ is_pinned: true });
    expect(await findFile(db, owner, earlier.id)).toBeNull();
    expect(await db.file_versions.countDocuments({ user_id: owner, expires_at: { $exists: true } })).toBe(1);
  });

  it("is refused where it must be empty and is not", async () => {
    const { owner, a } = await given();
    expect(await deleteFolder(db, owner, a.id, { ifEmpty: true }, NOON)).toMatchObject({
      refused: "folder_not_empty",
    });
    const empty = await create(owner, "empty");
    expect(await deleteFolder(db, owner, empty.id, { ifEmpty: true }, NOON)).toMatchObject({ files: 0 });
  });

  it("gives back one of its files at the root", async () => {
    const { owner, a, files } = await given();
    orThrow(await deleteFolder(db, owner, a.id, {}, NOON));
    const file = required(files[1]);
    expect(await restoreFile(db, owner, file.id, NOON)).toMatchObject({ id: file.id, folder_id: null });
    expect(await findFileByPath(db, owner, "two.py")).toMatchObject({ id: file.id });
  });

  it("is refused back where a file has its name by now, and a file where a folder has is numbered", async () => {
    const { owner, a } = await given();
    orThrow(await deleteFolder(db, owner, a.id, {}, NOON));
    const file = await save(owner, "a", null);
    expect(await restoreTrashedFolder(db, owner, a.id, NOON)).toMatchObject({ refused: "name_of_file" });
    orThrow(await trashFile(db, owner, file.id, NOON));
    await create(owner, "A");
    expect(await restoreFile(db, owner, file.id, NOON)).toMatchObject({ id: file.id, file_name: "a (2)" });
  });

  it("takes along what was saved into it at that very moment", async () => {
    const { owner, a } = await given();
    orThrow(await deleteFolder(db, owner, a.id, {}, NOON));
    await save(owner, "late.py", a.id);
    await tidyFolders(db, NOON);
    expect(await listNames(owner, undefined)).toEqual([]);
    expect(orThrow(await restoreTrashedFolder(db, owner, a.id, NOON))).toMatchObject({ files: 3 });
    expect(await findFileByPath(db, owner, "a/late.py")).toMatchObject({ file_name: "late.py" });
  });

  it("is gone for good after its time, and when the trash is emptied", async () => {
    const { owner, a } = await given();
    orThrow(await deleteFolder(db, owner, a.id, {}, NOON));
    await tidyFolders(db, new Date(NOON.getTime() + 31 * DAY_MS));
    expect((await readFolders(db, owner)).size).toBe(0);
    const other = await given();
    orThrow(await deleteFolder(db, other.owner, other.a.id, {}, NOON));
    await emptyTrash(db, other.owner, NOON);
    expect((await readFolders(db, other.owner)).size).toBe(0);
    expect(await restoreTrashedFolder(db, other.owner, other.a.id, NOON)).toMatchObject({
      refused: "folder_not_found",
    });
  });
});

it("folders of one person are not those of another", async () => {
  const [mine, theirs] = [newOwner(), newOwner()];
  const folder = await create(mine, "lib");
  expect(findFolder(await readFolders(db, theirs), folder.id)).toBeNull();
  expect(await updateFolder(db, theirs, folder.id, { name: "x" }, NOON)).toMatchObject({
    refused: "folder_not_found",
  });
  expect(await deleteFolder(db, theirs, folder.id, {}, NOON)).toMatchObject({ refused: "folder_not_found" });
  expect(await makeFolders(db, theirs, ["lib"], NOON)).not.toBe(folder.id);
});

describe("what is in a folder", () => {
  it("comes in pages that neither repeat nor skip, whatever is at the root beside it", async () => {
    const owner = newOwner();
    const paths = ["a.py", "b.py", "lib/a.py", "lib/in/a.py", "lib/in/b.py", "other/a.py"];
    for (const path of paths) await put(owner, path);
    const deleted = await put(owner, "lib/gone.py");
    await trashFile(db, owner, deleted.file.id, NOON);
    const readAll = async (path: string) => {
      const read: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = orThrow(await listFolderContents(db, owner, { path, deep: true, cursor, limit: 2 }));
        expect(page.files.length).toBeLessThanOrEqual(2);
        read.push(...page.files.map((file) => toPath(page.tree, file.folder_id, file.file_name)));
        if (page.next_cursor === null) return read.sort();
        cursor = page.next_cursor;
      }
    };
    expect(await readAll("")).toEqual(paths);
    expect(await readAll("lib")).toEqual(["lib/a.py", "lib/in/a.py", "lib/in/b.py"]);
  });
});
