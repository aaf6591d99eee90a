import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { updateDetails } from "#db/files/file-details.server.ts";
import { putFile } from "#db/files/file-puts.server.ts";
import { findFileByName, readBody } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { findFileByPath, findFilesByRelativePath, moveFiles } from "#db/files/folders/folder-files.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, given } = await openTestStore();
const COMPOSED = "caf\u00e9.py";
const DECOMPOSED = "cafe\u0301.py";
/** Pointed Hebrew, which the two Unicode forms sort differently. */
const HEBREW = "\u05E9\u05C1\u05BC.md";

const save = async (owner: string, file_name: string, body: string) =>
  orThrow(await saveFile(db, owner, { file_name, body }, NOON));

/** An older file whose name is stored as it was sent. */
async function givenDecomposed(owner: string, body = "old"): Promise<string> {
  const { id } = await given.file(owner, "plain.py", body);
  await db.files.updateOne({ _id: new ObjectId(id) }, { $set: { file_name: DECOMPOSED } });
  return id;
}

describe("a name in two forms of Unicode", () => {
  it.each([
    ["an accent", COMPOSED, DECOMPOSED],
    ["Hebrew points", HEBREW.normalize("NFC"), HEBREW],
  ])("with %s is one file, kept in the composed form and found by either", async (_, composed, other) => {
    const owner = `60-${composed}`;
    const first = await save(owner, other, "1");
    const second = await save(owner, composed, "2");

    expect(first.file.file_name).toBe(composed);
    expect(second).toMatchObject({ version: 2, created: false, file: { id: first.file.id } });
    for (const name of [composed, other, composed.normalize("NFD")])
      expect(await findFileByName(db, owner, name)).toMatchObject({ id: first.file.id });
    expect(await db.files.countDocuments({ user_id: owner })).toBe(1);
  });

  it("is one file where it is put at a path, and one folder", async () => {
    const put = (folder: string, file_name: string, body: string) =>
      putFile(db, "61", { folders: [folder], file_name, body }, NOON);
    const first = orThrow(await put("re\u0301sume\u0301", DECOMPOSED, "1"));
    const second = orThrow(await put("r\u00e9sum\u00e9", COMPOSED, "2"));

    expect(second).toMatchObject({ version: 2, file: { id: first.file.id, file_name: COMPOSED } });
    expect([...(await readFolders(db, "61")).values()].map(({ name }) => name)).toEqual(["r\u00e9sum\u00e9"]);
    expect(await findFileByPath(db, "61", `re\u0301sume\u0301/${DECOMPOSED}`)).toMatchObject({
      id: first.file.id,
    });
  });

  it("is refused for a second file, whether that is begun, renamed or moved", async () => {
    const id = await givenDecomposed("62");
    const folder = await given.folder("62", "a");
    const begun = await saveFile(db, "62", { file_name: COMPOSED, body: "x", onto: "nothing" }, NOON);
    const file = await given.file("62", "b.py");
    const inFolder = await given.saved("62", { file_name: COMPOSED, folder_id: folder.id, body: "x" });

    expect(begun).toMatchObject({ refused: "file_name_taken" });
    expect(await updateDetails(db, "62", file.id, { file_name: COMPOSED })).toMatchObject({
      refused: "name_taken",
    });
    const edit = { file_name: COMPOSED, body: "y", onto: { id: file.id, version: 1 } };
    expect(await saveFile(db, "62", edit, NOON)).toMatchObject({ refused: "file_name_taken" });
    expect(await moveFiles(db, "62", [inFolder.id], null)).toMatchObject({ refused: "name_taken" });
    expect(await findFileByName(db, "62", COMPOSED)).toMatchObject({ id });
  });
});

describe("a decomposed name of before", () => {
  it("keeps working: it is found, saved to, edited, and composed once it is renamed", async () => {
    const id = await givenDecomposed("63");
    const saved = await save("63", COMPOSED, "2");
    expect(saved).toMatchObject({ version: 2, file: { id, file_name: DECOMPOSED } });

    const edit = { file_name: DECOMPOSED, body: "3", onto: { id, version: 2 } };
    expect(orThrow(await saveFile(db, "63", edit, NOON)).file.file_name).toBe(DECOMPOSED);
    const linked = await findFilesByRelativePath(db, "63", null, [COMPOSED]);
    expect(linked.get(COMPOSED)).toMatchObject({ id });

    expect(await updateDetails(db, "63", id, { file_name: COMPOSED })).toMatchObject({
      id,
      file_name: COMPOSED,
    });
  });

  it("beside its composed look-alike leads to its own text", async () => {
    const { file } = await save("64", COMPOSED, "composed");
    const id = await givenDecomposed("64", "decomposed");

    const [one, other] = [
      await findFileByName(db, "64", COMPOSED),
      await findFileByName(db, "64", DECOMPOSED),
    ];
    expect([one?.id, other?.id]).toEqual([file.id, id]);
    await save("64", DECOMPOSED, "changed");
    expect(one && (await readBody(db, "64", one))).toBe("composed");
  });
});
