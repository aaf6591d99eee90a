import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { repairDerivedFields } from "#db/files/derived-fields.server.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { type FileRecord, findFile } from "#db/files/file-records.server.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { countFilesByValue, listFacets } from "#db/files/listing/file-facets.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { listNarrowedFacets } from "#db/files/listing/narrowed-facets.server.ts";
import { addTags } from "#db/files/selection.server.ts";
import { search } from "#db/search/search.server.ts";
import { required } from "#domain/required.ts";
import { parseSearchQuery } from "#domain/search/search-query.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, given } = await openTestStore();

const save = (owner: string, file_name: string, tags: string[]): Promise<FileRecord> =>
  given.saved(owner, { file_name, body: "zebra\n", tags });
const twentyTags = (name: string) => Array.from({ length: 20 }, (_, i) => `${name} ${i}`);

const readTags = async (owner: string, { id }: FileRecord) =>
  required(await findFile(db, owner, id), "file").tags;

async function listTagged(owner: string, category: string): Promise<string[]> {
  const page = orThrow(await listFiles(db, owner, { category, sort: "name_asc", limit: 20 }));
  return page.files.map(({ file_name }) => file_name);
}

async function searchTagged(owner: string, q: string): Promise<string[]> {
  const { hits } = await search(db, owner, orThrow(parseSearchQuery(q)), { offset: 0, limit: 20, now: NOON });
  return hits.map(({ title }) => title).sort();
}

/** A file of an earlier release, which knew only one spelling of a tag. */
async function saveAsBefore(owner: string, file_name: string, tags: string[]): Promise<FileRecord> {
  const file = await save(owner, file_name, []);
  const before = { $set: { tags }, $unset: { tag_keys: "" } } as object;
  await db.files.updateOne({ _id: new ObjectId(file.id) }, before);
  return file;
}

describe("tags that differ in their case", () => {
  it("are one tag: a file gets it as the library spells it already, however it is tagged", async () => {
    const owner = "spelling";
    await save(owner, "first.py", ["Python", "שפה", "ΣΟΦΟΣ"]);
    const file = await save(owner, "second.py", ["PYTHON", "σοφος"]);
    const edit = { file_name: "second.py", onto: { id: file.id, version: 1 }, tags: ["python", "x"] };
    const expectTags = async (...tags: string[]) => expect(await readTags(owner, file)).toEqual(tags);
    await expectTags("Python", "ΣΟΦΟΣ");
    orThrow(await updateDetails(db, owner, file.id, { tags: ["python", "New"] }));
    await expectTags("Python", "New");
    orThrow(await addTags(db, owner, [file.id], ["NEW", "pYthon", "more"]));
    await expectTags("Python", "New", "more");
    orThrow(await updateDetails(db, owner, file.id, { tags: ["PYTHON"] }));
    await expectTags("Python");
    for (const body of ["zebra\n", "other\n"]) {
      orThrow(await editFile(db, owner, { ...edit, body }, NOON));
      await expectTags("Python", "x");
    }
  });

  it("are added to a file that an earlier release saved", async () => {
    const file = await save("earlier", "a.py", ["web"]);
    await db.files.updateOne({ file_name: "a.py", user_id: "earlier" }, { $unset: { tag_keys: 1 } });
    orThrow(await addTags(db, "earlier", [file.id], ["web", "more"]));
    expect(await readTags("earlier", file)).toEqual(["web", "more"]);
    expect(await listTagged("earlier", "More")).toEqual(["a.py"]);
  });

  it("get another spelling with the only file that has them", async () => {
    const file = await save("respelling", "a.py", ["python"]);
    orThrow(await updateDetails(db, "respelling", file.id, { tags: ["Python"] }));
    expect(await readTags("respelling", file)).toEqual(["Python"]);
    expect((await listFacets(db, "respelling")).tags).toEqual([{ value: "Python", count: 1 }]);
  });

  it("are found, searched and counted as one, whatever is typed", async () => {
    const owner = "finding";
    await save(owner, "a.py", ["Python", "web"]);
    await save(owner, "b.py", ["python"]);
    await save(owner, "c.py", ["pythons"]);
    for (const typed of ["python", "Python", "PYTHON"]) {
      expect(await listTagged(owner, typed)).toEqual(["a.py", "b.py"]);
      expect(await countFiles(db, owner, { category: typed })).toBe(2);
      expect(await searchTagged(owner, `zebra tag:${typed}`)).toEqual(["a.py", "b.py"]);
      expect(await searchTagged(owner, `tag:${typed} tag:WEB`)).toEqual(["a.py"]);
    }
    expect((await listFacets(db, owner)).tags).toEqual([
      { value: "Python", count: 2 },
      { value: "pythons", count: 1 },
      { value: "web", count: 1 },
    ]);
  });

  it("fill no file twice", async () => {
    const owner = "full";
    const file = await save(owner, "a.py", twentyTags("Tag"));
    expect(await addTags(db, owner, [file.id], ["TAG 1", "tag 19"])).toBe(1);
    expect(await addTags(db, owner, [file.id], ["TAG 1", "other"])).toMatchObject({
      refused: "invalid_tags",
    });
    expect(await readTags(owner, file)).toHaveLength(20);
  });
});

describe("a library of before, with several spellings of a tag", () => {
  const owner = "before";

  it("keeps them, and both are found and counted as one tag", async () => {
    const old = await saveAsBefore(owner, "a.py", ["Python", "python", "x"]);
    await saveAsBefore(owner, "b.py", ["python"]);
    expect(await repairDerivedFields(db, null)).toMatchObject({ mended: 2 });
    expect(await repairDerivedFields(db, null)).toMatchObject({ mended: 0 });

    expect(await readTags(owner, old)).toEqual(["Python", "python", "x"]);
    expect(await listTagged(owner, "PYTHON")).toEqual(["a.py", "b.py"]);
    expect((await countFilesByValue(db, owner, "tags")).map(({ count }) => count)).toEqual([2, 1]);
    const { tags } = await listNarrowedFacets(db, owner, { lang: "python" });
    expect(tags.map(({ count }) => count)).toEqual([2, 1]);
  });

  it("has them as one tag also among more tags than are stepped through", async () => {
    for (let i = 0; i < 6; i += 1) await save(owner, `many-${i}.py`, twentyTags(`Tag ${i}`));
    const counts = await countFilesByValue(db, owner, "tags");
    expect(counts.filter(({ value }) => value.toLowerCase() === "python")).toEqual([
      { value: expect.stringMatching(/python/i), count: 2 },
    ]);
    expect(counts).toContainEqual({ value: "Tag 3 7", count: 1 });
  });
});
