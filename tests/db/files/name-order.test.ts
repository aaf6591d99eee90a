import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { repairDerivedFields } from "#db/files/derived-fields.server.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { sortByName } from "#domain/files/name-order.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { readPages } from "#tests/support/test-runs/read-pages.ts";

const { db, given } = await openTestStore();

const save = (owner: string, file_name: string, folder_id: string | null = null) =>
  given.saved(owner, { file_name, body: "x", folder_id });

/** 47 names of either case, in two scripts, with numbers and accents. */
const NAMES = [
  ...Array.from({ length: 12 }, (_, i) => `chapter${i}.md`),
  ...Array.from({ length: 12 }, (_, i) => `Chapter${i * 7}.MD`),
  ...["Zebra.py", "apple.py", "Apple.PY", "éclair.js", "Eclair.js", "_hidden", "10", "9", "09"],
  ...Array.from({ length: 9 }, (_, i) => `פרק ${i * 3}.md`),
  ...["שלום.txt", "אבא.txt", "ÅNGSTRÖM.ts", "angstrom2.ts", "😀.md"],
];

/** Names before, between and after them. */
const ADDED = ["0", "CHAPTER3x", "zz", "תת"];

type Sort = "name_asc" | "name_desc";
type Between = (number: number) => Promise<unknown>;

async function readAll(owner: string, sort: Sort, folder?: string, between?: Between): Promise<string[]> {
  const list = (cursor?: string) => listFiles(db, owner, { sort, folder, limit: 5, cursor });
  const pages = await readPages(list, async (_, number) => between?.(number));
  return pages.flatMap(({ files }) => files.map(({ file_name }) => file_name));
}

describe("a list by names", () => {
  it.each<[Sort, "all files" | "a folder"]>([
    ["name_asc", "all files"],
    ["name_desc", "a folder"],
  ])("%s of %s has 47 names once each, whatever is added between the pages", async (sort, where) => {
    const owner = `${sort} ${where}`;
    const folder = where === "a folder" ? (await given.folder(owner, "in")).id : undefined;
    expect(NAMES).toHaveLength(47);
    await Promise.all(NAMES.map((name) => save(owner, name, folder)));

    const names = await readAll(owner, sort, folder, async (page) => {
      if (page < 5) await Promise.all(ADDED.map((name) => save(owner, `${name} added ${page}`, folder)));
    });

    const first = names.filter((name) => !name.includes("added"));
    expect(first.toSorted()).toEqual(NAMES.toSorted());
    expect(new Set(names).size).toBe(names.length);
    const order = sortByName(names, (name) => name);
    const keys = (list: string[]) =>
      list.map((name) =>
        name
          .toLowerCase()
          .normalize("NFD")
          .replace(/[\u0300-\u036f]|\b0+(?=\d)/g, ""),
      );
    expect(keys(names)).toEqual(keys(sort === "name_asc" ? order : order.toReversed()));
  });

  it("follows a file that is renamed, and one that comes back from the trash under another name", async () => {
    const owner = "renaming";
    const file = await save(owner, "zebra.py");
    await save(owner, "Mole.py");
    orThrow(await updateDetails(db, owner, file.id, { file_name: "Ant.py" }));
    expect(await readAll(owner, "name_asc")).toEqual(["Ant.py", "Mole.py"]);

    orThrow(await trashFile(db, owner, file.id, NOON));
    await save(owner, "Ant.py");
    orThrow(await restoreFile(db, owner, file.id, NOON));
    expect(await readAll(owner, "name_asc")).toEqual(["Ant (2).py", "Ant.py", "Mole.py"]);
  });

  it("is mended where code of an earlier release wrote names", async () => {
    const owner = "before";
    const [renamed, plain] = [await save(owner, "a.py"), await save(owner, "b.py")];
    await db.files.updateOne({ _id: new ObjectId(renamed.id) }, { $set: { file_name: "Z.py" } });
    await db.files.updateOne({ _id: new ObjectId(plain.id) }, { $unset: { name_order: "" } } as object);

    let ordered = 0;
    for (let cursor: string | null = null; ; ) {
      const done = await repairDerivedFields(db, cursor, 1);
      ordered += done.mended;
      cursor = done.next;
      if (cursor === null) break;
    }

    expect(ordered).toBe(2);
    expect(await readAll(owner, "name_desc")).toEqual(["Z.py", "b.py"]);
  });
});
