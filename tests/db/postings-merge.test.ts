import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { purgeFile, trashFile } from "#db/files/bin.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { searchFiles } from "#db/search/file-search.server.ts";
import { createPostings, findCandidates, postingRange, takeNumbers } from "#db/search/postings.server.ts";
import { listOwnersToMerge, mergePostings } from "#db/search/postings-merge.server.ts";
import { indexFiles, unindexed } from "#db/search/search-index.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";

const { db, events } = await openTestStore();
const later = (ms: number) => new Date(NOON.getTime() + ms);

async function save(owner: string, file_name: string, body: string): Promise<string> {
  const saved = await saveFile(db, owner, { file_name, body }, NOON);
  if (isRefusal(saved)) throw new Error(saved.refused);
  return saved.file.id;
}

async function names(owner: string, q: string, store: Db = db): Promise<string[]> {
  const page = await searchFiles(store, owner, { q, sort: "created_at_desc", limit: 100 });
  if (isRefusal(page)) throw new Error(page.refused);
  return page.hits.map(({ file }) => file.file_name).sort();
}

const listsOf = (owner: string, gram: string) =>
  db.postings
    .find(postingRange(`${owner}:${gram}`))
    .sort({ _id: 1 })
    .toArray();
const numbersOf = async (owner: string, gram: string) => (await findCandidates(db, owner, [gram])).numbers();

describe("merging postings", () => {
  it("leaves one list for each gram and every search as it was", async () => {
    const owner = "101";
    const wanted = Array.from({ length: 6 }, (_, i) => `f${i}.txt`);
    for (const name of wanted) await save(owner, name, `zebra ${name}`);
    expect(await listsOf(owner, "zeb")).toHaveLength(6);

    const merged = await mergePostings(db, owner, { now: NOON });

    expect(merged.finished).toBe(true);
    expect(await listsOf(owner, "zeb")).toHaveLength(1);
    expect(await names(owner, "zebra")).toEqual(wanted);
    expect(await names(owner, "f3.txt")).toEqual(["f3.txt"]);
  });

  it("merges what was merged before with what came since", async () => {
    const owner = "102";
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) await save(owner, `r${round}f${i}`, "walrus");
      await mergePostings(db, owner, { now: NOON });
    }
    expect(await listsOf(owner, "wal")).toHaveLength(1);
    expect(await names(owner, "walrus")).toHaveLength(12);
  });

  it("touches no one else's lists", async () => {
    for (const owner of ["103", "1034"]) for (let i = 0; i < 4; i += 1) await save(owner, `f${i}`, "marmot");
    await mergePostings(db, "103", { now: NOON });
    expect(await listsOf("103", "mar")).toHaveLength(1);
    expect(await listsOf("1034", "mar")).toHaveLength(4);
  });

  it("drops the numbers of old versions and purged files, once nobody can be about to use them", async () => {
    const owner = "104";
    const gone = await save(owner, "gone.txt", "quokka");
    for (const body of ["quokka 1", "quokka 2", "quokka 3"]) await save(owner, "kept.txt", body);
    await trashFile(db, owner, gone, NOON);
    await purgeFile(db, owner, gone, NOON);

    await mergePostings(db, owner, { now: NOON });
    expect(await numbersOf(owner, "quo")).toHaveLength(4);

    await mergePostings(db, owner, { now: later(HOUR_MS) });
    const { n } = required(await db.files.findOne({ user_id: owner }));
    expect(await numbersOf(owner, "quo")).toEqual([n]);
    expect(await listsOf(owner, "gon")).toEqual([]);
    expect(await names(owner, "quokka")).toEqual(["kept.txt"]);
  });

  it("keeps the number of a file that is being indexed meanwhile", async () => {
    const owner = "105";
    for (let i = 0; i < 4; i += 1) await save(owner, `f${i}`, "ocelot");
    await mergePostings(db, owner, { now: NOON });
    await mergePostings(db, owner, { now: later(HOUR_MS) });
    const n = await takeNumbers(db, owner, 1);
    await createPostings(db, owner, [{ n, grams: ["oce"] }]);

    await mergePostings(db, owner, { now: later(HOUR_MS + 1) });
    await mergePostings(db, owner, { now: later(2 * HOUR_MS - 1) });

    expect(await numbersOf(owner, "oce")).toContain(n);
  });

  it("is not overtaken: indexing that took too long is given up and the file is found by itself", async () => {
    const owner = "106";
    const id = await save(owner, "late.txt", "pangolin");
    await db.files.updateOne({ user_id: owner }, { $set: unindexed() });
    let time = 0;
    const nowMs = () => {
      time += HOUR_MS;
      return time;
    };
    await indexFiles(db, owner, [id], { nowMs });
    expect(await events("search_index_error")).toHaveLength(1);
    expect((await db.files.findOne({ user_id: owner }))?.unindexed).toBeTruthy();
    expect(await names(owner, "pangolin")).toEqual(["late.txt"]);
  });

  it("loses nothing when it is cut off between writing the merged list and removing its parts", async () => {
    const owner = "107";
    for (let i = 0; i < 5; i += 1) await save(owner, `f${i}`, "lemur");
    const cutOff: Db = {
      ...db,
      postings: new Proxy(db.postings, {
        get: (target, key) =>
          key === "deleteMany" ? () => Promise.reject(new Error("killed")) : Reflect.get(target, key),
      }),
    };

    await expect(mergePostings(cutOff, owner, { now: NOON })).rejects.toThrow("killed");

    expect(await listsOf(owner, "lem")).toHaveLength(6);
    expect(await names(owner, "lemur")).toHaveLength(5);
    await mergePostings(db, owner, { now: NOON });
    expect(await listsOf(owner, "lem")).toHaveLength(1);
    expect(await names(owner, "lemur")).toHaveLength(5);
  });

  it("writes the merged list where a search that is reading has not been yet", async () => {
    const owner = "108";
    for (let i = 0; i < 4; i += 1) await save(owner, `f${i}`, "gibbon");
    const parts = (await listsOf(owner, "gib")).map(({ _id }) => _id);
    await mergePostings(db, owner, { now: NOON });
    const first = itemAt(await listsOf(owner, "gib"), 0)._id;
    expect(first > required(parts.at(-1))).toBe(true);
    for (let i = 4; i < 8; i += 1) await save(owner, `f${i}`, "gibbon");
    await mergePostings(db, owner, { now: NOON });
    expect(itemAt(await listsOf(owner, "gib"), 0)._id > first).toBe(true);
  });

  it("loses nothing while files are saved and searched for, and two merges run at once", async () => {
    const owner = "109";
    let saving = true;
    const saved: string[] = [];
    const saver = async (who: number) => {
      for (let i = 0; i < 12; i += 1) {
        const name = `${who}-${i}`;
        await save(owner, name, `capybara ${name}`);
        saved.push(name);
      }
    };
    const searcher = async () => {
      while (saving) {
        const before = [...saved];
        expect(await names(owner, "capybara")).toEqual(expect.arrayContaining(before));
      }
    };
    const merger = async () => {
      for (let hours = 0; saving; hours += 1) await mergePostings(db, owner, { now: later(hours) });
    };
    const others = [searcher(), merger(), merger()];
    await Promise.all([saver(1), saver(2), saver(3)]).finally(() => {
      saving = false;
    });
    await Promise.all(others);
    await mergePostings(db, owner, { now: NOON });
    expect(await names(owner, "capybara")).toHaveLength(36);
    expect((await listsOf(owner, "cap")).length).toBeLessThan(4);
  });

  it("reads a bounded part at a time and goes on where it stopped", async () => {
    const owner = "110";
    const grams = Array.from({ length: 900 }, (_, i) => `${i}`.padStart(3, "0"));
    await takeNumbers(db, owner, 4);
    for (let n = 1; n <= 4; n += 1) await createPostings(db, owner, [{ n, grams }]);

    const first = await mergePostings(db, owner, { now: NOON, readMax: 1 });
    expect(first).toMatchObject({ finished: false, read: 2_000 });
    expect(await listOwnersToMerge(db, NOON)).toContain(owner);
    const second = await mergePostings(db, owner, { now: NOON });
    expect(second.finished).toBe(true);

    expect(await db.postings.countDocuments({ _id: { $gte: `${owner}:`, $lt: `${owner};` } })).toBe(900);
    expect(await listOwnersToMerge(db, NOON)).not.toContain(owner);
  });

  it("is due after enough savings, and once a week", async () => {
    const owner = "111";
    await takeNumbers(db, owner, 63);
    expect(await listOwnersToMerge(db, NOON)).not.toContain(owner);
    await takeNumbers(db, owner, 1);
    expect(await listOwnersToMerge(db, NOON)).toContain(owner);
    await mergePostings(db, owner, { now: NOON });
    expect(await listOwnersToMerge(db, later(6 * DAY_MS))).not.toContain(owner);
    expect(await listOwnersToMerge(db, later(7 * DAY_MS))).toContain(owner);
  });
});
