import { setImmediate } from "node:timers/promises";
import { Binary, ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import { trashFile } from "#db/files/trash/file-deletion.server.ts";
import { purgeFile } from "#db/files/trash/file-removal.server.ts";
import { searchFiles } from "#db/search/file-search.server.ts";
import { indexFiles, unindexed } from "#db/search/search-index.server.ts";
import { mergeSegments, rewriteSparseSegments } from "#db/segments/segment-merge.server.ts";
import { allocateNumbers, createSegments, findCandidates, keyRange } from "#db/segments/segments.server.ts";
import { required } from "#domain/required.ts";
import { needleKeys } from "#domain/search/search-keys.ts";
import { DAY_MS, HOUR_MS } from "#domain/time/durations.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, events, given } = await openTestStore();

async function names(owner: string, q: string, store: Db = db): Promise<string[]> {
  const page = orThrow(await searchFiles(store, owner, { q, sort: "created_at_desc", limit: 100 }));
  return page.hits.map(({ file }) => file.file_name).sort();
}

const countSegments = (owner: string) => db.search_segments.countDocuments(keyRange(owner));
const findNumbers = async (owner: string, text: string) =>
  required((await findCandidates(db, owner, [needleKeys("text", text)]))[0]).numbers();
const keys = Uint32Array.from(needleKeys("text", "ocelot")).sort();

/** Segments as saves leave them before a merge. */
async function givenSegments(owner: string, count: number, files = 1): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const first = await allocateNumbers(db, owner, files);
    await createSegments(
      db,
      owner,
      Array.from({ length: files }, (_, k) => ({ n: first + k, keys })),
    );
  }
}

describe("merging segments", () => {
  it("leaves few of them however many files are saved, and every search as it was", async () => {
    const owner = "101";
    const wanted = Array.from({ length: 30 }, (_, i) => `f${i + 10}.txt`);
    for (const name of wanted) await given.file(owner, name, `zebra ${name}`);
    expect(await countSegments(owner)).toBeLessThan(16);
    expect(await names(owner, "zebra")).toEqual(wanted);
    expect(await names(owner, "f33.txt")).toEqual(["f33.txt"]);
  });

  it("puts eight of one size together, and leaves larger ones alone", async () => {
    const owner = "102";
    await givenSegments(owner, 1, 100);
    await givenSegments(owner, 7);
    expect(await mergeSegments(db, owner, { now: NOON })).toBe(0);
    await givenSegments(owner, 1);
    expect(await mergeSegments(db, owner, { now: NOON })).toBe(7);
    const sizes = await db.search_segments.find(keyRange(owner)).toArray();
    expect(sizes.map(({ files }) => files).sort((a, b) => a - b)).toEqual([8, 100]);
    expect(await findNumbers(owner, "ocelot")).toHaveLength(108);
  });

  it("writes nothing twice where many savings want it at once", async () => {
    const owner = "115";
    await givenSegments(owner, 8);
    const merged = await Promise.all(
      Array.from({ length: 5 }, () => mergeSegments(db, owner, { now: NOON })),
    );
    expect(merged.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 7]);
    expect(await countSegments(owner)).toBe(1);
  });

  it("touches no one else's", async () => {
    for (const owner of ["103", "1034"]) await givenSegments(owner, 8);
    await mergeSegments(db, "103", { now: NOON });
    expect(await countSegments("103")).toBe(1);
    expect(await countSegments("1034")).toBe(8);
  });

  it("writes large segments in chunks and reads only those that a search needs", async () => {
    const owner = "112";
    const wide = Uint32Array.from({ length: 20_000 }, (_, i) => i * 40);
    for (let i = 0; i < 8; i += 1) {
      const n = await allocateNumbers(db, owner, 1);
      await createSegments(db, owner, [{ n, keys: wide }]);
    }
    await mergeSegments(db, owner, { now: NOON });
    expect(await countSegments(owner)).toBe(1);
    expect(await db.search_chunks.countDocuments(keyRange(owner))).toBeGreaterThan(3);
    expect(required((await findCandidates(db, owner, [[0, 400_000, 799_960]]))?.[0]).count).toBe(8);
    expect(required((await findCandidates(db, owner, [[0, 41]]))?.[0]).count).toBe(0);
  });

  it("drops the numbers of old versions and purged files, once nobody can be about to use them", async () => {
    const owner = "104";
    const gone = await given.file(owner, "gone.txt", "quokka");
    await given.file(owner, "kept.txt", "quokka 1", "quokka 2", "quokka 3");
    await trashFile(db, owner, gone.id, NOON);
    await purgeFile(db, owner, gone.id, NOON);

    await rewriteSparseSegments(db, owner, { now: NOON });
    expect(await findNumbers(owner, "quokka")).toHaveLength(4);

    await rewriteSparseSegments(db, owner, { now: afterNoon(7 * DAY_MS) });
    const { n } = required(await db.files.findOne({ user_id: owner }));
    expect(await findNumbers(owner, "quokka")).toEqual([n]);
    expect(await names(owner, "quokka")).toEqual(["kept.txt"]);
  });

  it("keeps the number of a file that is being indexed meanwhile", async () => {
    const owner = "105";
    await givenSegments(owner, 8);
    await mergeSegments(db, owner, { now: NOON });
    const n = await allocateNumbers(db, owner, 1);
    await createSegments(db, owner, [{ n, keys }]);
    await givenSegments(owner, 7);
    await mergeSegments(db, owner, { now: afterNoon(HOUR_MS) });
    expect(await findNumbers(owner, "ocelot")).toContain(n);
  });

  it("is not overtaken: indexing that took too long is given up and the file is found by itself", async () => {
    const owner = "106";
    const { id } = await given.file(owner, "late.txt", "pangolin");
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

  it("removes what an interrupted merge left after a day", async () => {
    const owner = "108";
    await givenSegments(owner, 1);
    const name = `${owner}:${ObjectId.createFromTime(NOON.getTime() / 1_000).toHexString()}`;
    await db.search_chunks.insertOne({ _id: `${name}:000000`, data: new Binary() });
    await rewriteSparseSegments(db, owner, { now: afterNoon(HOUR_MS) });
    expect(await db.search_chunks.countDocuments(keyRange(owner))).toBe(1);
    await rewriteSparseSegments(db, owner, { now: afterNoon(8 * DAY_MS) });
    expect(await db.search_chunks.countDocuments(keyRange(owner))).toBe(0);
  });

  it("asks once more where a segment went while it was read", async () => {
    const owner = "113";
    const wide = Uint32Array.from({ length: 20_000 }, (_, i) => i * 40);
    const n = await allocateNumbers(db, owner, 1);
    await createSegments(db, owner, [{ n, keys: wide }]);
    let isMerged = false;
    const overtaken = replaceVerb(db, "search_chunks", "find", (find, ...words) => {
      if (isMerged) return find(...words);
      isMerged = true;
      const toArray = async () => {
        const [old] = await db.search_segments.find(keyRange(owner)).toArray();
        await createSegments(db, owner, [{ n, keys: wide }]);
        await db.search_segments.deleteOne({ _id: required(old)._id });
        await db.search_chunks.deleteMany(keyRange(required(old)._id));
        return find(...words).toArray();
      };
      return { toArray };
    });
    expect(required((await findCandidates(overtaken, owner, [[0, 799_960]]))?.[0]).numbers()).toEqual([n]);
    expect(isMerged).toBe(true);
  });

  it("loses nothing while files are saved and searched for, and two merges run at once", async () => {
    const owner = "109";
    let saving = true;
    const saved: string[] = [];
    const saver = async (who: number) => {
      for (let i = 0; i < 8; i += 1) {
        const name = `${who}-${i}`;
        await given.file(owner, name, `capybara ${name}`);
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
      for (let hours = 0; saving; hours += 1) {
        await mergeSegments(db, owner, { now: afterNoon(hours) });
        await setImmediate();
      }
    };
    const others = [searcher(), merger(), merger()];
    await Promise.all([saver(1), saver(2), saver(3)]).finally(() => {
      saving = false;
    });
    await Promise.all(others);
    expect(await names(owner, "capybara")).toHaveLength(24);
    expect(await countSegments(owner)).toBeLessThan(16);
  });
});
