import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Db } from "#db/client.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { findFile, findFileByName, readBody } from "#db/files/file-records.server.ts";
import { listFolderContents } from "#db/files/folders/folder-contents.server.ts";
import { findFileByPath, listFilesWithin, moveFiles } from "#db/files/folders/folder-files.server.ts";
import {
  finishFolderDeletions,
  listTrashedFolders,
  moveFolderToTrash,
  restoreTrashedFolder,
} from "#db/files/folders/folder-trash.server.ts";
import { createFolder, purgeFolders, readFolders, updateFolder } from "#db/files/folders/folders.server.ts";
import { changeTree } from "#db/files/folders/tree-changes.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { pinFile } from "#db/files/marks.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { FILE_SORTS } from "#domain/files/file.ts";
import { findTrail, toItemPath } from "#domain/files/folders/folder-tree.ts";
import { isRefusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { ABSENT_ID, newPersonId } from "#tests/support/given.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { readPages } from "#tests/support/test-runs/read-pages.ts";

const { db, given } = await openTestStore();

const findByName = async (owner: string, name: string) =>
  required([...(await readFolders(db, owner)).values()].find((folder) => folder.name === name));
async function listNames(owner: string, folder: string | undefined): Promise<string[]> {
  const { files } = orThrow(await listFiles(db, owner, { folder, sort: "name_asc", limit: 100 }));
  return files.map(({ file_name }) => file_name);
}

describe("a name", () => {
  it("is used once within a folder, and again in another one", async () => {
    const owner = newPersonId();
    const lib = await given.folder(owner, "lib");
    const first = await given.saved(owner, { file_name: "a.py", folder_id: lib.id, body: "1\n" });
    const atRoot = await given.file(owner, "a.py", "2\n");
    const again = await given.saved(owner, { file_name: "a.py", folder_id: lib.id, body: "3\n" });
    expect(again.id).toBe(first.id);
    expect(atRoot.id).not.toBe(first.id);
    expect(await readBody(db, owner, required(await findFile(db, owner, first.id)))).toBe("3\n");
    expect(await updateDetails(db, owner, atRoot.id, { folder_id: lib.id })).toMatchObject({
      refused: "name_taken",
    });
  });

  it("of a file from before folders stands at the root", async () => {
    const owner = newPersonId();
    const { id } = await given.file(owner, "old.py");
    await db.files.updateOne({ user_id: owner }, { $unset: { folder_id: 1 } });
    expect(await findFileByName(db, owner, "old.py")).toMatchObject({ id, folder_id: null });
    expect((await given.file(owner, "old.py", "2\n")).id).toBe(id);
    expect(await listNames(owner, "root")).toEqual(["old.py"]);
  });
});

describe("a list", () => {
  it("of a folder has the files right in it, in each order", async () => {
    const owner = newPersonId();
    await given.path(owner, "lib/a.py", "1\n");
    await given.path(owner, "lib/b.py", "22\n");
    await given.path(owner, "lib/deep/c.py");
    await given.path(owner, "d.py");
    const folder = (await findByName(owner, "lib")).id;
    for (const sort of FILE_SORTS) {
      const pages = await readPages((cursor) => listFiles(db, owner, { folder, sort, cursor, limit: 1 }));
      const names = pages.flatMap(({ files }) => files.map(({ file_name }) => file_name));
      expect(names.toSorted(), sort).toEqual(["a.py", "b.py"]);
    }
    expect(await listNames(owner, undefined)).toEqual(["a.py", "b.py", "c.py", "d.py"]);
    expect(await listNames(owner, "root")).toEqual(["d.py"]);
  });

  it("by name neither repeats nor skips files of one name in several folders", async () => {
    const owner = newPersonId();
    for (const path of ["a/x.py", "b/x.py", "c/x.py", "y.py"]) await given.path(owner, path);
    const list = (cursor?: string) => listFiles(db, owner, { sort: "name_desc", cursor, limit: 1 });
    const ids = (await readPages(list)).flatMap(({ files }) => files.map(({ id }) => id));
    expect(new Set(ids).size).toBe(4);
    expect(ids).toHaveLength(4);
  });
});

describe("a path", () => {
  it("makes its missing folders by one write, and finds its file whatever the case of its folders", async () => {
    const owner = newPersonId();
    const file = await given.path(owner, "lib/parsers/json.py", "1\n");
    expect((await given.path(owner, "LIB/parsers/json.py", "2\n")).id).toBe(file.id);
    expect(await db.folder_changes.findOne({ _id: owner })).toMatchObject({ revision: 1 });
    expect(await findFileByPath(db, owner, "Lib/Parsers/json.py")).toMatchObject({ id: file.id });
    expect(await findFileByPath(db, owner, "lib/json.py")).toMatchObject({ refused: "file_not_found" });
  });

  it("makes no folder if the expectation fails", async () => {
    const owner = newPersonId();
    const put = { file_name: "a.py", folders: ["lib"], body: "x", expects: () => false };
    expect(await putFile(db, owner, put, NOON)).toMatchObject({ refused: "version_changed" });
    expect((await readFolders(db, owner)).size).toBe(0);
  });

  it("of many writers at once has each of its folders once", async () => {
    const owner = newPersonId();
    const paths = Array.from({ length: 16 }, (_, i) => `a/b/${i % 2 ? "c" : "C"}/f${i}.py`);
    await Promise.all(paths.map((path) => given.path(owner, path)));
    const tree = await readFolders(db, owner);
    expect(tree.size).toBe(3);
    const deepest = [...tree.keys()].find((id) => findTrail(tree, id)?.length === 3);
    expect(await listNames(owner, deepest)).toHaveLength(16);
  });
});

describe("a folder", () => {
  it("moves by one write, with everything in it", async () => {
    const owner = newPersonId();
    const file = await given.path(owner, "a/b/one.py");
    await given.path(owner, "c/two.py");
    const before = await db.files.find({ user_id: owner }).toArray();
    const [a, c] = [await findByName(owner, "a"), await findByName(owner, "c")];
    orThrow(await updateFolder(db, owner, a.id, { parent_id: c.id }, NOON));
    expect(await findFileByPath(db, owner, "c/a/b/one.py")).toMatchObject({ id: file.id });
    expect(await db.files.find({ user_id: owner }).toArray()).toEqual(before);
  });

  it("gets one name of two that are asked for at once", async () => {
    const owner = newPersonId();
    const created = await Promise.all(
      ["same", "Same", "SAME"].map((name) => createFolder(db, owner, { name, parent_id: null }, NOON)),
    );
    expect(created.filter(isRefusal)).toHaveLength(2);
  });

  it("is made by one write onto the folders that are remembered, and by what another process made of them", async () => {
    const owner = newPersonId();
    const another = { ...db };
    const make = (through: Db, name: string) => createFolder(through, owner, { name, parent_id: null }, NOON);
    const first = orThrow(await make(db, "first"));
    const read = vi.spyOn(db.folder_changes, "findOne");
    onTestFinished(() => read.mockRestore());

    expect(isRefusal(await make(db, "second"))).toBe(false);
    expect(read).not.toHaveBeenCalled();
    expect(isRefusal(await make(another, "third"))).toBe(false);
    expect(await make(db, "third")).toMatchObject({ refused: "folder_name_taken" });
    orThrow(await updateFolder(another, owner, first.id, { name: "renamed" }, NOON));
    expect(isRefusal(await make(db, "first"))).toBe(false);
    expect([...(await readFolders(db, owner)).values()].map(({ name }) => name).sort()).toEqual([
      "first",
      "renamed",
      "second",
      "third",
    ]);
  });

  it("lists all files within it by their paths", async () => {
    const owner = newPersonId();
    for (const path of ["a/one.py", "a/b/two.py", "a/b/c/three.py", "d.py"]) await given.path(owner, path);
    const a = await findByName(owner, "a");
    const within = orThrow(await listFilesWithin(db, owner, a.id));
    expect(within.map(({ path }) => path)).toEqual(["b/c/three.py", "b/two.py", "one.py"]);
  });
});

describe("the folders of a person", () => {
  const asAnother = (): Db => ({ ...db });
  const namesIn = async (through: Db, owner: string) =>
    [...(await readFolders(through, owner)).values()].map(({ name }) => name).sort();

  async function givenMany(count: number): Promise<{ owner: string; names: string[] }> {
    const owner = newPersonId();
    const names = Array.from({ length: count }, (_, n) => `f${n}`).sort();
    for (const name of names) orThrow(await createFolder(db, owner, { name, parent_id: null }, NOON));
    return { owner, names };
  }

  it("are written whole only sometimes, and are the same to every process", async () => {
    const { owner, names } = await givenMany(70);
    expect(await namesIn(db, owner)).toEqual(names);
    expect(await namesIn(asAnother(), owner)).toEqual(names);
    const doc = required(await db.folder_changes.findOne({ _id: owner }));
    expect(doc).toMatchObject({ revision: 70, changes: { length: 70 % 64 } });
  });

  it("take changes that come at once by few writes, and refuse one of them by itself", async () => {
    const owner = newPersonId();
    const write = vi.spyOn(db.folder_changes, "updateOne");
    onTestFinished(() => write.mockRestore());
    const names = Array.from({ length: 40 }, (_, n) => `f${n % 39}`);

    const created = await Promise.all(
      names.map((name) => createFolder(db, owner, { name, parent_id: null }, NOON)),
    );

    expect(created.filter(isRefusal)).toMatchObject([{ refused: "folder_name_taken" }]);
    expect(await namesIn(asAnother(), owner)).toEqual(names.slice(0, 39).sort());
    expect(write.mock.calls.length).toBeLessThan(20);
  });

  it("take a change that comes as soon as another is written", async () => {
    const owner = newPersonId();
    const folder = await given.folder(owner, "first");
    for (const name of ["second", "third"])
      expect(await changeTree(db, owner, () => ({ put: [{ ...folder, name }] }))).toBe(null);
    expect(await namesIn(db, owner)).toEqual(["third"]);
  });

  it("are followed by a process that remembers them, without reading the whole tree", async () => {
    const { owner } = await givenMany(3);
    const another = asAnother();
    await readFolders(another, owner);
    orThrow(await createFolder(db, owner, { name: "later", parent_id: null }, NOON));
    const read = vi.spyOn(db.folder_trees, "findOne");
    onTestFinished(() => read.mockRestore());
    expect(await namesIn(another, owner)).toContain("later");
    expect(read).not.toHaveBeenCalled();
  });

  it("are the same where writing them whole was cut off", async () => {
    const { owner, names } = await givenMany(64);
    const before = required(await db.folder_changes.findOne({ _id: owner }));
    orThrow(await createFolder(db, owner, { name: "last", parent_id: null }, NOON));
    const { base, changes } = before;
    const after = required(await db.folder_changes.findOne({ _id: owner }));
    expect(after.changes).toHaveLength(1);
    await db.folder_changes.replaceOne(
      { _id: owner },
      { ...after, base, changes: [...changes, ...after.changes] },
    );
    expect(await namesIn(asAnother(), owner)).toEqual([...names, "last"].sort());
  });

  it("are not those of an account of before, which another process remembers", async () => {
    const { owner } = await givenMany(64);
    const another = asAnother();
    await db.folder_changes.deleteOne({ _id: owner });
    await db.folder_trees.deleteOne({ _id: owner });
    orThrow(await createFolder(another, owner, { name: "new", parent_id: null }, NOON));
    orThrow(await createFolder(db, owner, { name: "late", parent_id: null }, NOON));
    expect(await namesIn(another, owner)).toEqual(["late", "new"]);
    expect(await namesIn(asAnother(), owner)).toEqual(["late", "new"]);
  });

  it.each([
    ["a tree that is newer than its changes", 64, 20],
    ["changes that are newer than their tree", 20, 64],
  ])("can be read and changed with %s", async (_, ofTree, ofChanges) => {
    const { owner: first } = await givenMany(ofTree + 1);
    const { owner: second } = await givenMany(ofChanges + 1);
    const owner = newPersonId();
    const tree = await db.folder_trees.findOne({ _id: first }, { projection: { _id: 0 } });
    const changes = required(await db.folder_changes.findOne({ _id: second }, { projection: { _id: 0 } }));
    if (tree) await db.folder_trees.insertOne({ ...tree, _id: owner });
    await db.folder_changes.insertOne({ ...changes, _id: owner });
    orThrow(await createFolder(db, owner, { name: "new", parent_id: null }, NOON));
    expect(await namesIn(asAnother(), owner)).toContain("new");
    expect(await namesIn(db, owner)).toEqual(await namesIn(asAnother(), owner));
  });
});

it("moving files moves all of them, or none if a name is taken", async () => {
  const owner = newPersonId();
  const lib = await given.folder(owner, "lib");
  const files = await Promise.all(
    ["a.py", "b.py"].map((file_name) => given.saved(owner, { file_name, folder_id: null, body: "x\n" })),
  );
  const ids = files.map(({ id }) => id);
  expect(await moveFiles(db, owner, ids, lib.id)).toBe(2);
  expect(await listNames(owner, lib.id)).toEqual(["a.py", "b.py"]);
  await given.file(owner, "a.py");
  expect(await moveFiles(db, owner, ids, null)).toMatchObject({ refused: "name_taken" });
  expect(await listNames(owner, lib.id)).toEqual(["a.py", "b.py"]);
  expect(await moveFiles(db, owner, ids, ABSENT_ID)).toMatchObject({ refused: "folder_not_found" });
});

describe("a deleted folder", () => {
  async function givenFolder() {
    const owner = newPersonId();
    const files = await Promise.all(["a/one.py", "a/b/two.py"].map((path) => given.path(owner, path)));
    const earlier = await given.path(owner, "a/gone.py");
    await trashFile(db, owner, earlier.id, afterNoon(-DAY_MS));
    const [one] = files;
    orThrow(await pinFile(db, owner, required(one).id));
    const a = await findByName(owner, "a");
    return { owner, a, files, earlier };
  }

  it("takes everything in it along, and brings it back as it was", async () => {
    const { owner, a, files, earlier } = await givenFolder();
    const deletion = orThrow(await moveFolderToTrash(db, owner, a.id, {}, NOON));
    expect(deletion).toMatchObject({ files: 2 });
    expect(await listNames(owner, undefined)).toEqual([]);
    const dated = { user_id: owner, expires_at: deletion.expires_at };
    expect(await db.file_versions.countDocuments(dated)).toBe(2);
    expect(await listTrashedFolders(db, owner)).toMatchObject([{ id: a.id, files: 2 }]);

    const restored = orThrow(await restoreTrashedFolder(db, owner, a.id, NOON));
    expect(restored).toMatchObject({ files: 2, folder: { id: a.id, name: "a" } });
    expect(await findFileByPath(db, owner, "a/b/two.py")).toMatchObject({ id: required(files[1]).id });
    expect(await findFile(db, owner, required(files[0]).id)).toMatchObject({ is_pinned: true });
    expect(await findFile(db, owner, earlier.id)).toBeNull();
    expect(await db.file_versions.countDocuments({ user_id: owner, expires_at: { $exists: true } })).toBe(1);
  });

  it("gives back one of its files at its path, and itself beside it", async () => {
    const { owner, a, files } = await givenFolder();
    orThrow(await moveFolderToTrash(db, owner, a.id, {}, NOON));
    const [one, two] = files.map(({ id }) => id);
    orThrow(await restoreFile(db, owner, required(two), NOON));
    expect(await findFileByPath(db, owner, "a/b/two.py")).toMatchObject({ id: two });
    orThrow(await restoreTrashedFolder(db, owner, a.id, NOON));
    expect(await findFileByPath(db, owner, "a (2)/one.py")).toMatchObject({ id: one });
  });

  it("that is gone for good gives back a file at the root", async () => {
    const { owner, a, files } = await givenFolder();
    const file = required(files[1]);
    await trashFile(db, owner, file.id, afterNoon(1));
    orThrow(await moveFolderToTrash(db, owner, a.id, {}, NOON));
    await purgeFolders(db, owner, NOON);
    expect(await restoreFile(db, owner, file.id, NOON)).toMatchObject({ id: file.id, folder_id: null });
  });

  it("is refused back where a file has its name by now, and a file where a folder has is numbered", async () => {
    const { owner, a } = await givenFolder();
    orThrow(await moveFolderToTrash(db, owner, a.id, {}, NOON));
    const file = await given.file(owner, "a");
    expect(await restoreTrashedFolder(db, owner, a.id, NOON)).toMatchObject({ refused: "name_of_file" });
    orThrow(await trashFile(db, owner, file.id, NOON));
    await given.folder(owner, "A");
    expect(await restoreFile(db, owner, file.id, NOON)).toMatchObject({ id: file.id, file_name: "a (2)" });
  });

  it("takes along what was saved into it at that very moment", async () => {
    const { owner, a } = await givenFolder();
    orThrow(await moveFolderToTrash(db, owner, a.id, {}, NOON));
    await given.saved(owner, { file_name: "late.py", folder_id: a.id, body: "x\n" });
    await finishFolderDeletions(db, NOON);
    expect(await listNames(owner, undefined)).toEqual([]);
    expect(orThrow(await restoreTrashedFolder(db, owner, a.id, NOON))).toMatchObject({ files: 3 });
    expect(await findFileByPath(db, owner, "a/late.py")).toMatchObject({ file_name: "late.py" });
  });

  it("is gone for good after its time, and when the trash is emptied", async () => {
    const { owner, a } = await givenFolder();
    orThrow(await moveFolderToTrash(db, owner, a.id, {}, NOON));
    await finishFolderDeletions(db, afterNoon(31 * DAY_MS));
    expect((await readFolders(db, owner)).size).toBe(0);
    const other = await givenFolder();
    orThrow(await moveFolderToTrash(db, other.owner, other.a.id, {}, NOON));
    await emptyTrash(db, other.owner, NOON);
    expect((await readFolders(db, other.owner)).size).toBe(0);
    expect(await restoreTrashedFolder(db, other.owner, other.a.id, NOON)).toMatchObject({
      refused: "folder_not_found",
    });
  });
});

it("the contents of a folder come in pages that neither repeat nor skip, whatever else is at the root", async () => {
  const owner = newPersonId();
  const paths = ["a.py", "b.py", "lib/a.py", "lib/in/a.py", "lib/in/b.py", "other/a.py"];
  for (const path of paths) await given.path(owner, path);
  const deleted = await given.path(owner, "lib/gone.py");
  await trashFile(db, owner, deleted.id, NOON);
  const readAll = async (path: string) => {
    const list = (cursor?: string) => listFolderContents(db, owner, { path, deep: true, cursor, limit: 2 });
    const pages = await readPages(list);
    for (const { files } of pages) expect(files.length).toBeLessThanOrEqual(2);
    return pages
      .flatMap(({ files, tree }) => files.map((file) => toItemPath(tree, file.folder_id, file.file_name)))
      .sort();
  };
  expect(await readAll("")).toEqual(paths);
  expect(await readAll("lib")).toEqual(["lib/a.py", "lib/in/a.py", "lib/in/b.py"]);
});
