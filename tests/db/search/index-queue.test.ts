import { ObjectId } from "mongodb";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Db } from "#db/client.ts";
import { saveFile } from "#db/files/files.server.ts";
import { listFacets } from "#db/files/listing/file-facets.server.ts";
import { searchFiles } from "#db/search/file-search.server.ts";
import { createIndexQueue, type IndexQueueOptions } from "#db/search/index-queue.ts";
import { required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { createThreadPool } from "#platform/threads/thread-pool.ts";
import { countVerb, replaceVerb } from "#tests/support/databases/changed-store.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const store = await openTestStore();

function withQueue(options: Partial<IndexQueueOptions> = {}, over: Partial<Db> = {}): Db {
  const db: Db = { ...store.db, ...over };
  const indexQueue = createIndexQueue(db, { log: silentLog, delayMs: 0, retryMs: 20, ...options });
  onTestFinished(() => indexQueue.close());
  return Object.assign(db, { indexQueue });
}

/** A queue that ignores everything. */
const UNHEARD = { add: () => {}, has: () => false, close: async () => {} };

const save = (db: Db, owner: string, file_name: string, body = `text of ${file_name}`) =>
  saveFile(db, owner, { file_name, body }, NOON);

/** The queue hears of all these files in one turn, however long their saving takes. */
async function saveTogether(db: Db, owner: string, files: number): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; i < files; i += 1) {
    const { file } = orThrow(await save({ ...db, indexQueue: UNHEARD }, owner, `${i}.py`));
    ids.push(file.id);
  }
  for (const id of ids) required(db.indexQueue).add(owner, [id]);
}

const countMarked = (owner: string) =>
  store.db.files.countDocuments({ user_id: owner, unindexed: { $gt: "" } });
const allIndexed = (owner: string, files: number) =>
  vi.waitFor(async () => {
    expect(await countMarked(owner)).toBe(0);
    expect(await store.db.files.countDocuments({ user_id: owner, n: { $gt: 0 } })).toBe(files);
  }, 10_000);
const search = async (owner: string, q: string) =>
  orThrow(await searchFiles(store.db, owner, { q, limit: 20, sort: "created_at_desc" })).hits.map(
    ({ file }) => file.file_name,
  );

describe("a saved file", () => {
  it("is found before it is indexed and after", async () => {
    const db = withQueue({ delayMs: 600_000 });
    orThrow(await save(db, "reader", "a.py", "needle in here"));
    expect(await countMarked("reader")).toBe(1);
    expect(await search("reader", "needle")).toEqual(["a.py"]);

    const sooner = withQueue();
    orThrow(await save(sooner, "reader", "b.py", "another needle"));
    await vi.waitFor(async () => expect(await countMarked("reader")).toBe(1), 10_000);
    expect(await search("reader", "needle")).toEqual(["b.py", "a.py"]);
  });

  it("is indexed together with those saved at the same time, by fewer calls than files", async () => {
    const counted = countVerb(store.db, "search_segments", "insertOne");
    await saveTogether(withQueue({}, counted.db), "many", 8);
    await allIndexed("many", 8);
    expect(counted.calls).toBeGreaterThan(0);
    expect(counted.calls).toBeLessThan(8);
  });

  it("is indexed once the store answers again", async () => {
    let failures = 2;
    const breaking = replaceVerb(store.db, "search_segments", "insertOne", (insertOne, ...words) => {
      if (failures === 0) return insertOne(...words);
      failures -= 1;
      throw new Error("the database is gone");
    });
    const db = withQueue({}, breaking);
    orThrow(await save(db, "patient", "a.py"));
    await allIndexed("patient", 1);
    expect(failures).toBe(0);
    expect(await store.events("search_index_error")).toHaveLength(2);
  });

  it("is not read again for it, and an older text of it is not taken for its newest", async () => {
    const counted = countVerb(store.db, "file_bodies", "find");
    const db = withQueue({ delayMs: 100 }, counted.db);
    const { file } = orThrow(await save(db, "writer", "a.py", "oldest"));
    orThrow(await save(db, "writer", "a.py", "newest needle"));
    await allIndexed("writer", 1);
    expect(counted.calls).toBe(0);
    expect(await search("writer", "needle")).toEqual(["a.py"]);

    orThrow(await save({ ...db, indexQueue: UNHEARD }, "writer", "a.py", "third"));
    const shown = required(await db.files.findOne({ _id: new ObjectId(file.id) }));
    required(db.indexQueue).add("writer", [file.id], { version: 2, body: "newest needle", file: shown });
    await allIndexed("writer", 1);
    expect(counted.calls).toBe(1);
    expect(await search("writer", "third")).toEqual(["a.py"]);
    expect(await search("writer", "needle")).toEqual([]);
  });

  it("stays marked where it was changed after it was saved, for that change to index", async () => {
    const db = withQueue({ delayMs: 100 });
    const { file } = orThrow(await save({ ...db, indexQueue: UNHEARD }, "changer", "a.py", "first"));
    const _id = new ObjectId(file.id);
    const first = required(await db.files.findOne({ _id }));
    orThrow(await save({ ...db, indexQueue: UNHEARD }, "changer", "a.py", "second"));
    const { unindexed } = required(await db.files.findOne({ _id }));

    const queue = required(db.indexQueue);
    queue.add("changer", [file.id], { version: 1, body: "first", file: first });
    await expect.poll(() => queue.has("changer")).toBe(false);
    expect(await db.files.findOne({ _id })).toMatchObject({ version: 2, unindexed });
    expect(await search("changer", "second")).toEqual(["a.py"]);
    expect(await search("changer", "first")).toEqual([]);
  });

  it("is looked for by its mark where too many wait", async () => {
    await saveTogether(withQueue({ maxWaiting: 2 }), "crowded", 5);
    await allIndexed("crowded", 5);
  });

  it("is looked for by its mark again where that failed", async () => {
    let hasFailed = false;
    const breaking = replaceVerb(store.db, "search_numbers", "estimatedDocumentCount", (count) => {
      if (hasFailed) return count();
      hasFailed = true;
      throw new Error("the database is gone");
    });
    await saveTogether(withQueue({ maxWaiting: 1 }, breaking), "unlucky", 3);
    await allIndexed("unlucky", 3);
    expect(hasFailed).toBe(true);
  });

  it("of any length is read by a thread: long ones, and ones with too many different runs of characters", async () => {
    const threads = createThreadPool();
    onTestFinished(() => threads.close());
    const db = withQueue({}, { threads });
    orThrow(await save(db, "long", "long.txt", `needle ${"ab ".repeat(100_000)}`));
    await allIndexed("long", 1);
    expect(await search("long", "needle")).toEqual(["long.txt"]);
    const wide = Array.from({ length: 70_000 }, (_, i) => String.fromCodePoint(0x1_0000 + i)).join("");
    orThrow(await save(db, "wide", "wide.txt", `${wide} needle`));
    await expect.poll(() => store.db.files.findOne({ user_id: "wide" })).toMatchObject({ unindexed: "wide" });
    expect(await search("wide", "needle")).toEqual(["wide.txt"]);
  });
});

it("stops after what it is indexing, and leaves the rest marked", async () => {
  const db = withQueue({ delayMs: 600_000 });
  orThrow(await save(db, "leaving", "a.py"));
  await db.indexQueue?.close();
  db.indexQueue?.add("leaving", ["0".repeat(24)]);
  expect(await countMarked("leaving")).toBe(1);
});

it("tells whose files wait, so that what is counted from them is counted anew", async () => {
  const { promise: mayIndex, resolve: letIndex } = Promise.withResolvers<void>();
  const waiting = replaceVerb(store.db, "search_segments", "insertOne", async (insertOne, ...words) => {
    await mayIndex;
    return insertOne(...words);
  });
  const db = withQueue({}, waiting);
  const languages = async () => (await listFacets(db, "counter")).languages;
  orThrow(await save(db, "counter", "a.py"));
  expect(await languages()).toEqual([{ value: "python", count: 1 }]);
  orThrow(await save(db, "counter", "b.py"));
  expect(required(db.indexQueue).has("counter")).toBe(true);
  expect(await languages()).toEqual([{ value: "python", count: 2 }]);
  letIndex();
  await allIndexed("counter", 2);
  await expect.poll(() => required(db.indexQueue).has("counter")).toBe(false);
  expect(await languages()).toEqual([{ value: "python", count: 2 }]);
});
