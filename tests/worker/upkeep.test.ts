import { ObjectId } from "mongodb";
import { describe, expect, it } from "vitest";
import { findFile, readBody, saveFile } from "#db/files/files.server.ts";
import { trashFile } from "#db/files/trash.server.ts";
import { removeLeftovers } from "#db/files/trash-upkeep.server.ts";
import { ensureIndexes } from "#db/index-builds.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { searchFiles } from "#db/search/file-search.server.ts";
import { INDEX_FORMAT, keyRange } from "#db/search/segments.server.ts";
import type { JobId } from "#domain/jobs/jobs.ts";
import { isRefusal } from "#domain/refusal.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { orThrow } from "#tests/support/reminded.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { createTestServices } from "#tests/support/worker-services.ts";
import { runJob } from "#worker/run-job.ts";

const { db, mongo, clock, events } = await openTestStore();
const services = createTestServices({ db, clock });
const START = { version: null, body: null };

async function run(jobId: JobId) {
  clock.set(new Date(clock().getTime() + 1000));
  await runJob(services, jobId, { trigger: "scheduled", payload: {} }, new AbortController().signal);
  const latest = itemAt(await listRuns(db, { job_id: jobId, limit: 1 }), 0);
  expect(latest).toMatchObject({ status: "completed" });
  return latest.result;
}

async function save(owner: string, file_name: string, body: string) {
  const saved = await saveFile(db, owner, { file_name, body }, clock());
  if (isRefusal(saved)) throw new Error(saved.refused);
  return saved.file;
}

/** What first savings leave that were cut off before their record: texts and versions of files that never were. */
async function givenLeftovers(since: Date, count = 1) {
  const seconds = Math.floor(since.getTime() / 1000);
  const ids = Array.from({ length: count }, () => new ObjectId(ObjectId.generate(seconds)));
  const about = { user_id: "1", version: 1, file_name: "x", language: "text", size_bytes: 1, lines: 1 };
  await db.file_bodies.insertMany(
    ids.map((id) => ({ _id: `${id.toHexString()}:1`, user_id: "1", body: "x" })),
  );
  await db.file_versions.insertMany(
    ids.map((file_id) => ({ _id: new ObjectId(), file_id, created_at: since, ...about })),
  );
  return ids[0];
}

const keptOf = async (file_id: ObjectId) =>
  (await db.file_versions.countDocuments({ file_id })) +
  (await db.file_bodies.countDocuments({ _id: `${file_id.toHexString()}:1` }));

describe("trash_check", () => {
  it("finishes a deletion that was cut off, when it is overdue", async () => {
    const file = await save("1", "cut.py", "1");
    await trashFile(db, "1", file.id, NOON);
    await db.files.updateOne({ _id: new ObjectId(file.id) }, { $set: { expiring: false } });
    expect(await run("trash_check")).toMatchObject({ finished: 0, ttl_index: "present" });

    clock.set(new Date(NOON.getTime() + 31 * DAY_MS));

    expect(await run("trash_check")).toMatchObject({ finished: 1 });
    expect(await db.files.countDocuments({ _id: new ObjectId(file.id) })).toBe(0);
    expect(await keptOf(new ObjectId(file.id))).toBe(0);
  });

  it("tells that the store does not empty the trash by itself", async () => {
    await mongo.collection("files").dropIndex("bin_expiry");
    expect(await run("trash_check")).toMatchObject({ ttl_index: "missing" });
    expect(await events("db_recycle_bin_ttl_index_missing")).toMatchObject([{ state: "missing" }]);
    await ensureIndexes(mongo.collection);
    expect(await run("trash_check")).toMatchObject({ ttl_index: "present" });
    expect(await events("db_recycle_bin_ttl_index_missing")).toHaveLength(1);
  });

  it("removes texts and versions of files that never were, not those of files or of a saving of today", async () => {
    const file = await save("1", "kept.py", "kept");
    const [left, fresh] = [await givenLeftovers(NOON), await givenLeftovers(clock())];

    expect(await run("trash_check")).toMatchObject({ removed: 1 });

    expect([await keptOf(required(left)), await keptOf(required(fresh))]).toEqual([0, 2]);
    expect(await readBody(db, "1", required(await findFile(db, "1", file.id)))).toBe("kept");
  });

  it("looks for leftovers a part at a time, and each part once in a round", async () => {
    // Older than every file of these tests, whose ids are of today.
    await givenLeftovers(new Date(Date.UTC(2020, 0, 1)), 1_001);
    const first = await removeLeftovers(db, START, clock(), 500);
    expect(first).toMatchObject({ removed: 1_000, next: { version: expect.any(String) } });
    const second = await removeLeftovers(db, first.next, clock(), 500);
    expect(second.removed).toBe(1);
    expect(second.next).toEqual(START);
  });
});

describe("search_merge", () => {
  it("takes an index of an earlier form over to segments, with every file found before and after", async () => {
    for (let i = 0; i < 4; i += 1) await save("2", `f${i}`, "tapir");
    await db.search_segments.deleteMany(keyRange("2"));
    await db.search_numbers.updateOne({ _id: "2" }, { $unset: { format: "" } });
    await db.postings.insertOne({ _id: "2:tap:0.abc" });
    const found = async () =>
      orThrow(await searchFiles(db, "2", { q: "tapir", limit: 20, sort: "created_at_desc" })).hits.length;
    expect(await found()).toBe(4);
    expect(await run("search_merge")).toMatchObject({ upgraded_files: 4 });
    expect(await db.postings.countDocuments(keyRange("2"))).toBe(0);
    expect(await db.search_numbers.findOne({ _id: "2" })).toMatchObject({ format: INDEX_FORMAT });
    expect(await db.search_segments.countDocuments(keyRange("2"))).toBe(1);
    expect(await found()).toBe(4);
    expect(await run("search_merge")).toMatchObject({ upgraded_files: 0 });
  });
});
