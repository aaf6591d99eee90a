import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { updateDetails } from "#db/files/file-details.server.ts";
import { editFile } from "#db/files/file-edits.server.ts";
import { countFilesByValue, listFacets } from "#db/files/listing/file-facets.server.ts";
import { addTags } from "#db/files/selection.server.ts";
import { trashFile, trashFiles } from "#db/files/trash/file-deletion.server.ts";
import { emptyTrash } from "#db/files/trash/file-removal.server.ts";
import { restoreFile } from "#db/files/trash/file-restoring.server.ts";
import { tallyLibrary, toNumberedSinceFilter } from "#db/files/usage/library-tally.server.ts";
import { unindexed } from "#db/search/search-index.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { toDay } from "#domain/reminders/calendar.ts";
import { itemAt } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { countVerb, replaceVerb } from "#tests/support/databases/changed-store.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";

const { db, given } = await openTestStore();
const day = (days: number) => afterNoon(days * DAY_MS);

const save = async (owner: string, file_name: string, body: string, days = 0, tags: string[] = []) =>
  (await given.saved(owner, { file_name, body, tags }, day(days))).id;

/** Counts by reading every file. */
async function read(owner: string) {
  const files = await db.files.find({ user_id: owner, deleted_at: null }).sort({ created_at: 1 }).toArray();
  return [...Map.groupBy(files, ({ created_at }) => toDay(created_at))].map(([day, those]) => ({
    day,
    files: those.length,
    bytes: those.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    lines: those.reduce((sum, { lines }) => sum + lines, 0),
  }));
}

async function expectTrue(owner: string) {
  expect(await tallyLibrary(db, owner)).toEqual(await read(owner));
}

/** A store that records the days whose files are read. */
function watched(): { store: Db; spans: unknown[] } {
  const spans: unknown[] = [];
  const store = replaceVerb(db, "files", "find", (find, filter, options) => {
    if (!("unindexed" in filter || "n" in filter)) spans.push(filter.created_at ?? "all");
    return find(filter, options);
  });
  return { store, spans };
}

describe("the tally of a library", () => {
  it("is true after everything that can happen to a file", async () => {
    const owner = "201";
    await expectTrue(owner);
    const ids: string[] = [];
    for (let i = 0; i < 8; i += 1) ids.push(await save(owner, `f${i}`, "x\n".repeat(i + 1), i % 4));
    await expectTrue(owner);
    await save(owner, "f3", "longer\n".repeat(9), 9);
    await expectTrue(owner);
    await trashFile(db, owner, itemAt(ids, 1), day(9));
    await expectTrue(owner);
    await trashFile(db, owner, itemAt(ids, 5), day(9));
    await restoreFile(db, owner, itemAt(ids, 1), day(9));
    await expectTrue(owner);
    await emptyTrash(db, owner, day(9));
    await save(owner, "new", "1", 5);
    await expectTrue(owner);
    for (const id of ids) await trashFile(db, owner, id, day(9));
    await expectTrue(owner);
  });

  it("sees a saving whose indexing was cut off", async () => {
    const owner = "202";
    const id = await save(owner, "cut", "1");
    await expectTrue(owner);
    await db.files.updateOne({ _id: new ObjectId(id) }, { $set: { size_bytes: 99, ...unindexed() } });
    await expectTrue(owner);
  });

  it("reads nothing of an unchanged library, and one day of one that changed in a day", async () => {
    const owner = "203";
    const ids: string[] = [];
    for (let i = 0; i < 6; i += 1) ids.push(await save(owner, `f${i}`, "x", i));
    const { store, spans } = watched();
    await tallyLibrary(store, owner);
    expect(spans.splice(0)).toEqual(["all"]);

    await tallyLibrary(store, owner);
    expect(spans.splice(0)).toEqual([]);
    await save(owner, "f2", "changed", 7);
    await tallyLibrary(store, owner);
    expect(spans.splice(0)).toHaveLength(1);
    await trashFile(db, owner, itemAt(ids, 4), day(9));
    await tallyLibrary(store, owner);
    expect(spans.splice(0)).toHaveLength(1);
    await tallyLibrary(store, owner);
    expect(spans).toEqual([]);
  });
});

it("finds what changed since by its numbers alone", async () => {
  const plan = await db.files.find(toNumberedSinceFilter("203", 5)).explain("queryPlanner");
  expect(JSON.stringify(plan)).toContain("by_number");
});

describe("counts by language, tag and repository", () => {
  it("are those of the living files, the most used first, whatever letters a tag has", async () => {
    const owner = "204";
    await save(owner, "a.py", "1", 0, ["😀", "\uff5e", "work"]);
    await save(owner, "b.py", "1", 0, ["work", "לימודים"]);
    await save(owner, "c.go", "1", 0, ["😀", "work"]);
    const gone = await save(owner, "d.rb", "1", 0, ["gone"]);
    await trashFile(db, owner, gone, NOON);
    await db.files.updateOne({ user_id: owner, file_name: "a.py" }, { $set: { repo: "acme/site" } });

    const { languages, tags, repos } = await listFacets(db, owner);

    expect(languages).toEqual([
      { value: "python", count: 2 },
      { value: "go", count: 1 },
    ]);
    expect(tags).toEqual([
      { value: "work", count: 3 },
      { value: "😀", count: 2 },
      { value: "לימודים", count: 1 },
      { value: "\uff5e", count: 1 },
    ]);
    expect(repos).toEqual([{ value: "acme/site", count: 1 }]);
  });

  it("are counted again after everything that can happen to a file, and kept meanwhile", async () => {
    const owner = "207";
    const ids: string[] = [];
    for (const name of ["a.py", "b.py", "c.go"]) ids.push(await save(owner, name, "1"));
    const days = new Set<unknown>();
    const expectCounted = async () => {
      const facets = await listFacets(db, owner);
      expect(days.has(facets)).toBe(false);
      days.add(facets);
      expect(facets).toEqual({
        files: await db.files.countDocuments({ user_id: owner, deleted_at: null }),
        languages: await countFilesByValue(db, owner, "language"),
        tags: await countFilesByValue(db, owner, "tags"),
        repos: await countFilesByValue(db, owner, "repo"),
      });
      expect(await listFacets(db, owner)).toBe(facets);
    };
    const words = { description: "", tags: ["told"] };
    const onto = { id: itemAt(ids, 1), version: 1 };
    const edit = { file_name: "b.py", body: "2", onto, ...words, language: "ruby" as const };
    await expectCounted();
    for (const change of [
      () => save(owner, "d.rb", "1"),
      () => addTags(db, owner, ids, ["work"]),
      () => updateDetails(db, owner, itemAt(ids, 0), words),
      () => editFile(db, owner, edit, day(1)),
      () => trashFile(db, owner, itemAt(ids, 0), day(1)),
      () => restoreFile(db, owner, itemAt(ids, 0), day(1)),
      () => trashFiles(db, owner, ids, day(1)),
    ]) {
      const done = await change();
      expect(isRefusal(done)).toBe(false);
      await expectCounted();
    }
  });

  it("are counted again after half a minute, where a process was killed before it could tell of a write", async () => {
    const owner = "208";
    const id = await save(owner, "a.py", "1");
    let now = 0;
    const facets = () => listFacets(db, owner, () => now);
    const before = await facets();
    await db.files.updateOne({ _id: new ObjectId(id) }, { $set: { language: "go", ...unindexed() } });
    expect(await facets()).toBe(before);
    now = 30_001;
    expect((await facets()).languages).toEqual([{ value: "go", count: 1 }]);
  });

  it("are made twice at most for a crowd of one owner's requests, and see what was saved before they were asked for", async () => {
    const owner = "206";
    await save(owner, "a.py", "1", 0);
    const counted = countVerb(db, "files", "find");
    await countFilesByValue(counted.db, owner, "language");
    const alone = counted.calls;

    const early = Array.from({ length: 8 }, () => countFilesByValue(counted.db, owner, "language"));
    await save(owner, "b.py", "1", 0);
    const late = Array.from({ length: 8 }, () => countFilesByValue(counted.db, owner, "language"));
    await Promise.all(early);

    for (const counts of await Promise.all(late)) expect(counts).toEqual([{ value: "python", count: 2 }]);
    expect(counted.calls).toBeLessThanOrEqual(alone + 4 * alone);
  });

  it("are the same for more different tags than are stepped through", async () => {
    const owner = "205";
    const makeTags = (i: number) => Array.from({ length: 20 }, (_, n) => `tag-${n}-${i < 5 ? i : 0}`);
    await Promise.all(Array.from({ length: 6 }, (_, i) => save(owner, `f${i}`, "1", 0, makeTags(i))));
    const counts = await countFilesByValue(db, owner, "tags");
    expect(counts).toHaveLength(100);
    expect(counts.filter(({ count }) => count === 2)).toHaveLength(20);
    await save(owner, "one-more", "1", 0, ["another"]);
    const read = await countFilesByValue(db, owner, "tags");
    expect(read).toHaveLength(101);
    expect(read.filter(({ count }) => count === 2)).toHaveLength(20);
  });
});
