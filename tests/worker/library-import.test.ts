import { describe, expect, it } from "vitest";
import { toEventPerson } from "#db/events/event-person.ts";
import { saveFile } from "#db/files/files.server.ts";
import { readFolders } from "#db/files/folders/folders.server.ts";
import type { Queue } from "#db/jobs/queue.server.ts";
import { recordHeartbeat } from "#db/jobs/workers.server.ts";
import { cancelImport, findImport, queueImport } from "#db/library-zip/library-imports.server.ts";
import { toItemPath } from "#domain/files/folders/folder-tree.ts";
import type { Damage } from "#domain/library-zip/library-import.ts";
import { required } from "#domain/required.ts";
import { replaceVerb } from "#tests/support/databases/changed-store.ts";
import {
  EMPTY_EXPORT,
  type Entries,
  exportedFile,
  packFiles,
  packNumbered,
  packZip,
  RECORDS_PATH,
  sendZip,
  TEXT_PATH,
  workOffImports,
} from "#tests/support/files/library-zips.ts";
import { NOON, openTestStore, standingClock } from "#tests/support/store.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
import { doJob } from "#tests/support/workers/do-job.ts";
import { createTestServices } from "#tests/support/workers/worker-services.ts";
import { stuckMonitor } from "#worker/jobs/stuck-monitor.ts";
import { RunCancelled } from "#worker/run-cancelled.ts";

const store = await openTestStore();
const { db, clock, events, given } = store;
/** Accepts everything; the test runs the waiting jobs. */
const queue = { send: async () => {} } as unknown as Queue;

const givenZip = (ownerId: string, bytes: Uint8Array) => sendZip(store, queue, ownerId, bytes);
const find = (ownerId: string) => findImport(db, ownerId, clock());

/** The damage for which a zip is refused; nothing else is left of it. */
async function readRefusal(ownerId: string, bytes: Uint8Array): Promise<Damage | null> {
  await givenZip(ownerId, bytes);
  const results = await workOffImports(store);
  expect(results).toMatchObject([{ outcome: "refused" }]);
  expect(await db.library_import_chunks.countDocuments({})).toBe(0);
  expect(await db.files.countDocuments({ user_id: ownerId })).toBe(0);
  return required(await find(ownerId)).damage;
}

const withEntries = (entries: Entries) => packZip({ ...EMPTY_EXPORT, ...entries });
// Each import starts a thread, which is slow on a busy machine.
const patient = { timeout: 120_000 };

describe("a zip", patient, () => {
  it("is imported even at its smallest, and an event says so", async () => {
    const handle = await givenZip("50", await packFiles([exportedFile()]));
    expect(await workOffImports(store)).toEqual([{ outcome: "checked" }]);
    expect(await find("50")).toMatchObject({ state: "checked", plan: { kinds: { files: { added: 1 } } } });
    expect(await db.files.countDocuments({ user_id: "50" })).toBe(0);

    expect(await queueImport({ db, queue }, handle, clock())).toBeNull();
    expect(await workOffImports(store)).toEqual([{ outcome: "imported", files: 1, notes: 0 }]);

    expect(await db.files.countDocuments({ user_id: "50" })).toBe(1);
    expect(await find("50")).toMatchObject({ state: "done", report: { kinds: { files: { added: 1 } } } });
    expect(await db.library_import_chunks.countDocuments({})).toBe(0);
    expect((await events("library_imported")).at(-1)).toMatchObject({
      files: 1,
      resource: { id: toEventPerson("50") },
    });
  });

  itInFullRun(
    "that finds no room says so when it is checked, or stops where room was taken meanwhile",
    async () => {
      const bytes = await packNumbered(3, "x".repeat(10));
      const within = (maxLibraryBytes: number) => ({
        ...store,
        db: { ...db, limits: { maxLibraryBytes, uploadsPerMinute: 1_000 } },
      });
      const countStored = () => db.files.countDocuments({ user_id: "roomless", deleted_at: null });
      await givenZip("roomless", bytes);
      expect(await workOffImports(within(29))).toEqual([{ outcome: "library_full" }]);
      expect(await find("roomless")).toMatchObject({ state: "failed", failure: "library_full" });
      expect(await countStored()).toBe(0);

      const handle = await givenZip("roomless", bytes);
      expect(await workOffImports(within(30))).toEqual([{ outcome: "checked" }]);
      await saveFile(db, "roomless", { file_name: "meanwhile.txt", body: "x".repeat(15) }, clock());
      expect(await queueImport({ db, queue }, handle, clock())).toBeNull();
      expect(await workOffImports(within(30))).toEqual([{ outcome: "library_full" }]);
      expect(await find("roomless")).toMatchObject({
        state: "failed",
        report: { kinds: { files: { added: 1 } } },
      });
      expect(await countStored()).toBe(2);
    },
  );

  itDrawn("names that look alike", 3)(
    "gives a file a number where the name of one that is here looks alike in another form of Unicode",
    async () => {
      const decomposed = "cafe\u0301.py";
      await given.file("alike", "plain.py");
      await db.files.updateOne({ user_id: "alike" }, { $set: { file_name: decomposed } });
      const paths = await importTaken("alike", { file_name: decomposed });
      expect(paths).toEqual([decomposed, "caf\u00e9 (2).py"]);
    },
  );

  /** Imports a file whose name is reported as taken before, and returns the paths afterwards. */
  async function importTaken(owner: string, file: object): Promise<string[]> {
    const handle = await givenZip(owner, await packFiles([exportedFile(file)]));
    await workOffImports(store);
    expect(await find(owner)).toMatchObject({ plan: { renamed: 1 } });
    expect(await queueImport({ db, queue }, handle, clock())).toBeNull();
    await workOffImports(store);
    expect(await find(owner)).toMatchObject({ state: "done", report: { renamed: 1 } });
    const tree = await readFolders(db, owner);
    const docs = await db.files.find({ user_id: owner, deleted_at: null }).toArray();
    return docs.map(({ file_name, folder_id = null }) => toItemPath(tree, folder_id, file_name)).sort();
  }

  it("gives a file a number where a folder has its name, and a folder where a file has, and says so before", async () => {
    await given.folder("foldered", "Tools.py");
    expect(await importTaken("foldered", { file_name: "tools.py" })).toEqual(["tools (2).py"]);
    await given.file("filed", "lib");
    expect(await importTaken("filed", { folder: "lib" })).toEqual(["lib", "lib (2)/a.py"]);
  });

  const HOSTILE: [string, () => Promise<Buffer>, Damage][] = [
    ["is not a zip", async () => Buffer.from("PK but not really"), { why: "not_a_zip" }],
    ["is cut in half", async () => half(await packNumbered(50, "x".repeat(999))), { why: "not_a_zip" }],
    [
      "is of a version that is not known",
      () => withEntries({ "manifest.json": '{"format":"codeshelf-export","format_version":99}' }),
      { why: "invalid_record", entry: "manifest.json", field: "format_version" },
    ],
    [
      "has its directory beyond any file",
      async () => unreachable(await withEntries({})),
      { why: "not_a_zip" },
    ],
    ["climbs out", () => withEntries({ "files/../../etc/passwd": "x" }), { why: "not_a_zip" }],
    ["has an absolute path", () => withEntries({ "/etc/passwd": "x" }), { why: "not_a_zip" }],
    ["has backslashes", () => withEntries({ "files\\..\\a": "x" }), { why: "not_a_zip" }],
    [
      "has a path that no export has",
      () => withEntries({ "extra/a.txt": "x" }),
      { why: "unknown_path", entry: "extra/a.txt" },
    ],
    [
      "has an entry twice",
      async () => twice(await packFiles([exportedFile()]), TEXT_PATH),
      { why: "duplicate", entry: TEXT_PATH },
    ],
    [
      "has two names that some systems take for one",
      () => withEntries({ "files/\u00e9": "x", "files/e\u0301": "x" }),
      { why: "duplicate", entry: "files/e\u0301" },
    ],
    [
      "has two entries in one place",
      async () => overlapping(await packNumbered(2)),
      { why: "overlapping", entry: "versions/000000000000000000000001/1-a.py" },
    ],
    [
      "has a text that is too large",
      () => packFiles([exportedFile()], { [TEXT_PATH]: "x".repeat(2 * 1024 * 1024 + 1) }),
      { why: "too_large", entry: TEXT_PATH },
    ],
    [
      "has a text that is none",
      () => packFiles([exportedFile()], { [TEXT_PATH]: new Uint8Array([0xff, 0xfe, 0]) }),
      { why: "not_a_text", entry: TEXT_PATH },
    ],
    [
      "has a text that no record claims",
      () => withEntries({ [TEXT_PATH]: "x" }),
      { why: "unclaimed", entry: TEXT_PATH },
    ],
    [
      "uses one text for two files",
      () => packFiles([exportedFile(), exportedFile({ id: "f".repeat(24) })]),
      { why: "text_used_twice", entry: TEXT_PATH },
    ],
    [
      "has a file twice",
      () => packFiles([exportedFile(), exportedFile({}, { path: TEXT_PATH.replace("1-", "2-") })]),
      { why: "duplicate_record", entry: RECORDS_PATH, record: 2 },
    ],
    [
      "has a record without its text",
      () => packFiles([exportedFile()], {}),
      { why: "missing", entry: TEXT_PATH },
    ],
    [
      "has records that are no list",
      () => withEntries({ [RECORDS_PATH]: "{}" }),
      { why: "not_a_list", entry: RECORDS_PATH, record: 1 },
    ],
    ["is a bomb", () => bomb(), { why: "bomb", entry: expect.stringContaining("versions/") }],
    [
      "is damaged inside",
      async () => patched(await packFiles([exportedFile()], { [TEXT_PATH]: "x".repeat(9_999) }), 16, 1),
      { why: "damaged_entry", entry: TEXT_PATH },
    ],
    [
      "says less than it holds",
      async () => patched(await packFiles([exportedFile()], { [TEXT_PATH]: "y".repeat(9_999) }), 24, 5),
      { why: "damaged_entry", entry: TEXT_PATH },
    ],
  ];

  it.each(drawCases("hostile zips", HOSTILE, HOSTILE.length / 8))(
    "that %s is refused with the damage and its position, and nothing of it stays",
    async (_, make, damage) => {
      expect(await readRefusal("51", await make())).toEqual(damage);
    },
  );

  const NOTES = "records/notes-1.json";
  const MB = 1024 * 1024;
  /** Small when sent, and larger than a file of records may be when unpacked. */
  const HEAVY: [string, string | Buffer, Damage][] = [
    ["a list of zeros", `[${"0,".repeat(15 * MB)}0]`, { why: "invalid_record", entry: NOTES, record: 1 }],
    ["lists in lists", "[".repeat(31 * MB), { why: "too_deep", entry: NOTES, record: 1 }],
    [
      "one record of empty objects",
      `[[${"{},".repeat(10 * MB)}{}]]`,
      { why: "too_large", entry: NOTES, record: 1 },
    ],
    [
      "one string",
      Buffer.from(`["${"0".repeat(31 * MB)}"]`),
      { why: "invalid_record", entry: NOTES, record: 1 },
    ],
    ["100 MB of zeros", Buffer.alloc(100 * MB, "0"), { why: "too_large", entry: NOTES }],
  ];

  it.each(drawCases("heavy records", HEAVY, 1))(
    "whose records are %s is refused, and the process hardly grows",
    async (_, records, damage) => {
      const bytes = await withEntries({ [NOTES]: records });
      expect(bytes.byteLength).toBeLessThan(200_000);
      const before = process.memoryUsage().heapUsed;

      expect(await readRefusal("52", bytes)).toEqual(damage);

      expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * MB);
    },
  );

  itDrawn("lists of wrong elements", 3)(
    "with lists of a million wrong elements inside one record is refused at the first of them",
    async () => {
      const tags = Array(400_000).fill(0);
      expect(await readRefusal("53", await packFiles([exportedFile({ tags })]))).toMatchObject({
        field: "tags",
      });
      const versions = Array(400_000).fill(0);
      expect(await readRefusal("53", await packFiles([exportedFile({ versions })]))).toMatchObject({
        field: "versions.0",
      });
    },
  );

  itInFullRun("that takes more memory than its thread may have costs the thread alone", async () => {
    // The thread's memory is measured at intervals. These names take many times the limit, for longer than an interval.
    const names = Array.from({ length: 900_000 }, (_, i) => `"k${i}":0`).join();
    await givenZip("54", await withEntries({ [NOTES]: `[{${names}}]` }));
    const results = await workOffImports(store, { imports: { memoryMb: 24 } });
    expect(results).toEqual([{ outcome: "refused", why: "too_costly" }]);
    expect(required(await find("54")).damage).toEqual({ why: "too_costly" });
    expect((await events("library_import_refused")).at(-1)).toMatchObject({ reason: "too_costly" });
  });
});

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

async function bomb(): Promise<Buffer> {
  const zeros = Buffer.alloc(2 * 1024 * 1024, "0");
  const entries: Entries = {};
  for (let i = 1; i <= 60; i += 1) entries[TEXT_PATH.replace("1-", `${i}-`)] = zeros;
  return withEntries(entries);
}

/** Lists the same entry twice in the directory. */
function twice(bytes: Buffer, name: string): Buffer {
  const end = bytes.length - 22;
  const offset = bytes.lastIndexOf(name) - 46;
  const again = bytes.subarray(offset, offset + 46 + Buffer.byteLength(name));
  const tail = Buffer.from(bytes.subarray(end));
  tail.writeUInt16LE(tail.readUInt16LE(8) + 1, 8);
  tail.writeUInt16LE(tail.readUInt16LE(10) + 1, 10);
  tail.writeUInt32LE(tail.readUInt32LE(12) + again.length, 12);
  return Buffer.concat([bytes.subarray(0, end), again, tail]);
}

/** Changes a number in the directory's row for the text: its checksum or its size. */
function patched(bytes: Buffer, offset: number, value: number): Buffer {
  bytes.writeUInt32LE(value, bytes.lastIndexOf(TEXT_PATH) - 46 + offset);
  return bytes;
}

/** Places the directory's description beyond the end of any file. */
function unreachable(bytes: Buffer): Buffer {
  const end = bytes.length - 22;
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(2n ** 63n, 8);
  const tail = Buffer.from(bytes.subarray(end));
  tail.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([bytes.subarray(0, end), locator, tail]);
}

/** The second text begins at the first one's position. */
function overlapping(bytes: Buffer): Buffer {
  const row = (i: number) => bytes.lastIndexOf(`versions/${String(i).padStart(24, "0")}`) - 46;
  bytes.writeUInt32LE(bytes.readUInt32LE(row(0) + 42), row(1) + 42);
  return bytes;
}

describe("an import", patient, () => {
  /** Checks an import and starts it. */
  async function givenQueued(ownerId: string, bytes: Uint8Array) {
    const handle = await givenZip(ownerId, bytes);
    await workOffImports(store);
    expect(await queueImport({ db, queue }, handle, clock())).toBeNull();
    return handle;
  }
  const countFiles = (user_id: string) => db.files.countDocuments({ user_id, importing: { $exists: false } });

  it("that is cancelled ends with its next record, and what was added stays and is not added again", async () => {
    const bytes = await packNumbered(30);
    const handle = await givenQueued("70", bytes);
    const cancelling = afterVersions(3, () => cancelImport({ db }, handle, clock()));
    // Reported after each file, so that the test waits for none.
    expect(await workOffImports(store, { db: cancelling, imports: { reportEveryMs: 0 } })).toEqual([
      { outcome: "cancelled" },
    ]);
    const added = await countFiles("70");
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(30);
    expect(await find("70")).toMatchObject({ state: "cancelled", report: { kinds: { files: { added } } } });

    await givenQueued("70", bytes);
    await workOffImports(store);
    expect(await countFiles("70")).toBe(30);
    expect(await find("70")).toMatchObject({
      report: { kinds: { files: { added: 30 - added, here: added } } },
    });
  });

  itInFullRun("whose check is cancelled after its last record is cancelled, and its zip goes", async () => {
    const handle = await givenZip("79", await packZip(EMPTY_EXPORT));
    await db.library_imports.updateOne({ _id: "79" }, { $set: { worker_id: "checking" } });
    expect(await cancelImport({ db }, handle, clock())).toBeNull();
    expect(await workOffImports(store)).toEqual([{ outcome: "cancelled" }]);
    expect(await find("79")).toMatchObject({ state: "cancelled", plan: null });
    expect(await db.library_import_chunks.countDocuments({ user_id: "79" })).toBe(0);
  });

  it("that an administrator cancels says so to its owner", async () => {
    await givenQueued("71", await packNumbered(3));
    const cancelled = AbortSignal.abort(new RunCancelled());
    await expect(workOffImports(store, { signal: cancelled })).rejects.toThrow(RunCancelled);
    expect(await find("71")).toMatchObject({ state: "cancelled" });
  });

  it("of a stopping worker waits for the next one, however often", async () => {
    await givenQueued("72", await packNumbered(3));
    const stopping = AbortSignal.abort(new Error("Stopping"));
    for (let i = 0; i < 5; i += 1)
      await expect(workOffImports(store, { signal: stopping })).rejects.toThrow("Stopping");
    expect(await find("72")).toMatchObject({ state: "importing", worker_id: null });
    expect(await workOffImports(store)).toMatchObject([{ outcome: "imported", files: 3 }]);
  });

  itDrawn("an import that takes too long", 3)(
    "that takes too long is ended, says so, and goes on where it is sent again",
    async () => {
      const bytes = await packNumbered(3);
      await givenQueued("73", bytes);
      await expect(workOffImports(store, { imports: { deadlineMs: -1 } })).rejects.toThrow(
        "The import took too long.",
      );
      expect(await find("73")).toMatchObject({ state: "failed", failure: "too_long" });
      expect((await events("library_import_failed")).at(-1)).toMatchObject({ reason: "too_long" });
      await givenQueued("73", bytes);
      expect(await workOffImports(store)).toMatchObject([{ outcome: "imported", files: 3 }]);
    },
  );

  it("whose worker is gone is queued again, reports what all attempts added, and is abandoned after three", async () => {
    const handle = await givenQueued("74", await packNumbered(3));
    await db.library_imports.updateOne({ _id: "74" }, { $set: { worker_id: "gone", attempts: 1 } });
    const queued: unknown[] = [];
    const services = createTestServices(store, { requeue: async (...job) => queued.push(job) });
    const watch = () => doJob(stuckMonitor, services);
    await recordHeartbeat(db, "gone", NOON, clock());
    expect(await watch()).toMatchObject({ taken_over: 0 });
    await db.workers.deleteMany({});
    expect(await watch()).toMatchObject({ taken_over: 1 });
    expect(queued).toEqual([["library_import", "scheduled", handle]]);
    expect(await find("74")).toMatchObject({ worker_id: null, attempts: 1 });

    await db.library_imports.updateOne({ _id: "74" }, { $set: { attempts: 3 } });
    await expect(workOffImports(store)).rejects.toThrow("The worker stopped several times");
    expect(await find("74")).toMatchObject({ state: "failed", failure: "worker_lost" });
    expect(await countFiles("74")).toBe(0);
  });

  it("is queued again after five silent minutes of its worker, and so is one that no worker took", async () => {
    const queued: unknown[] = [];
    const later = (minutes: number) => () => new Date(clock().getTime() + minutes * 60_000);
    const watch = (minutes: number) =>
      doJob(
        stuckMonitor,
        createTestServices(
          { db, clock: standingClock(later(minutes)()) },
          { requeue: async (...job) => queued.push(job) },
        ),
      );
    await givenQueued("78", await packNumbered(1));
    await db.library_imports.updateOne({ _id: "78" }, { $set: { worker_id: "w1", progressed_at: clock() } });
    expect(await watch(4)).toMatchObject({ taken_over: 0 });
    expect(await watch(6)).toMatchObject({ taken_over: 1 });
    expect(await watch(7)).toMatchObject({ taken_over: 0 });
    expect(await watch(40)).toMatchObject({ taken_over: 1 });
    expect(queued).toHaveLength(2);
    expect(await workOffImports(store)).toMatchObject([{ outcome: "imported" }]);
  });

  it("that another living worker has does not start a second time", async () => {
    await givenQueued("75", await packNumbered(1));
    await db.library_imports.updateOne({ _id: "75" }, { $set: { worker_id: "other" } });
    await recordHeartbeat(db, "other", NOON, clock());
    expect(await workOffImports(store)).toEqual([{ outcome: "ended" }]);
    await db.workers.deleteMany({});
    expect(await workOffImports(store)).toMatchObject([{ outcome: "imported" }]);
  });

  itDrawn("an owner who leaves", 3)("whose owner is deleted meanwhile stops", async () => {
    await givenQueued("76", await packNumbered(30));
    const leaving = afterVersions(3, () => db.library_imports.deleteOne({ _id: "76" }));
    expect(await workOffImports(store, { db: leaving, imports: { reportEveryMs: 0 } })).toEqual([
      { outcome: "lost" },
    ]);
    expect(await countFiles("76")).toBeLessThan(30);
  });

  it("whose zip is gone says so", async () => {
    await givenQueued("77", await packNumbered(1));
    await db.library_import_chunks.deleteMany({});
    await expect(workOffImports(store)).rejects.toThrow("The zip is no longer stored.");
    expect(await find("77")).toMatchObject({ state: "failed", failure: "zip_gone" });
  });
});

/** A store that runs `act` once, after this many versions. */
function afterVersions(versions: number, act: () => Promise<unknown>) {
  let versionsLeft = versions;
  return replaceVerb(db, "file_versions", "insertOne", async (real, ...words) => {
    versionsLeft -= 1;
    const result = await real(...words);
    if (versionsLeft === 0) await act();
    return result;
  });
}
