import { describe, expect, it } from "vitest";
import type { Db } from "#db/client.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { countFiles } from "#db/files/listing/file-counts.server.ts";
import { countFilesByValue } from "#db/files/listing/file-facets.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { countTrash, listTrash } from "#db/files/trash/trash.server.ts";
import { reportTrashExpiry } from "#db/files/trash/trash-repair.server.ts";
import { finishDeletions } from "#db/files/trash/trash-upkeep.server.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { countHits, searchFiles } from "#db/search/file-search.server.ts";
import { withNumbers } from "#db/search/index-search.server.ts";
import { allocateNumbers, keyRange } from "#db/segments/segments.server.ts";
import { FILE_SORTS, type FileSort } from "#domain/files/file.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { required } from "#domain/required.ts";
import { givenMongoDB } from "#tests/support/databases/given-mongodb.ts";
import { planByRules } from "#tests/support/databases/mongodb-plans.ts";
import {
  type RecordedQuery,
  readExplained,
  recordQueries,
} from "#tests/support/databases/recorded-queries.ts";
import { manyFiles, NARROWINGS, narrowed } from "#tests/support/files/many-files.ts";
import { NOON, openTestStore } from "#tests/support/store.ts";
import { itDrawn } from "#tests/support/test-runs/full-run.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { readPages } from "#tests/support/test-runs/read-pages.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";

const { db, mongo } = await openTestStore();
const OWNER = "planned";
const FILES = manyFiles(OWNER, 1_300);
const TRASHED = FILES.filter(({ deleted_at }) => deleted_at !== null).length;
await db.files.insertMany([...FILES, ...manyFiles("somebody else", 200)]);
await allocateNumbers(db, OWNER, FILES.length);

async function record<T>(verb: (store: Db) => Promise<T>): Promise<{ answer: T; queries: RecordedQuery[] }> {
  const { store, queries } = recordQueries(db);
  return { answer: await verb(store), queries };
}

const recordList = (query: Parameters<typeof listFiles>[2]) =>
  record(async (store) => orThrow(await listFiles(store, OWNER, query)));

const counting = (queries: RecordedQuery[]) =>
  queries.filter(({ collection, kind }) => collection === "files" && (kind === "count" || kind === "group"));

async function examined(queries: RecordedQuery[]): Promise<number> {
  let sum = 0;
  for (const query of queries) sum += readExplained(await query.explain()).documents;
  return sum;
}

/** By MongoDB's rules no document is needed; an available MongoDB confirms it. */
async function expectFromKeys(queries: RecordedQuery[]) {
  expect(queries.length).toBeGreaterThan(0);
  for (const query of queries)
    expect([query, planByRules(query, query.hint).askedOfDocuments]).toEqual([query, []]);
  if (givenMongoDB) expect(await examined(queries)).toBe(0);
}

/** The embedded engine bounds only the leading fields of an index: two filters make it read more. */
const isOneThing = ({ lang, category, repo }: FileNarrowing) =>
  [lang, category, repo].filter((part) => part !== undefined).length <= 1;

/** Always lists with one filter. With several, the order of the conditions is the same, and a few are drawn. */
const TAKEN = [
  ...NARROWINGS.filter(isOneThing),
  ...drawCases(
    "narrowings",
    NARROWINGS.filter((narrowing) => !isOneThing(narrowing)),
    6,
  ),
];

describe("a count of files", () => {
  it.each(TAKEN)("narrowed to %j is right and is answered from the keys of an index", async (narrowing) => {
    const { answer, queries } = await record((store) => countFiles(store, OWNER, narrowing));
    expect(answer).toBe(narrowed(FILES, narrowing).length);
    const isNever = narrowing.category === "other" && narrowing.repo !== undefined;
    if (isNever) return expect(queries).toEqual([]);
    await expectFromKeys(queries);
    // The engine may read every file in the trash.
    if (!givenMongoDB && isOneThing(narrowing) && narrowing.category !== "large")
      expect(await examined(queries)).toBeLessThanOrEqual(
        narrowing.category === "other" ? 2 * TRASHED : TRASHED,
      );
  });

  it.each(["language", "repo", "tags"] as const)(
    "by each %s is right, and only stepping to the next tag reads a file",
    async (field) => {
      const { answer, queries } = await record((store) => countFilesByValue(store, OWNER, field));
      const values = [...new Set(FILES.flatMap((file) => file[field] ?? []))];
      expect(answer.length).toBe(values.length);
      for (const { value, count } of answer)
        expect([value, count]).toEqual([
          value,
          FILES.filter((file) => !file.deleted_at && [file[field]].flat().includes(value)).length,
        ]);
      await expectFromKeys(counting(queries));
      const steps = queries.filter(({ kind }) => kind === "find");
      if (field !== "tags") await expectFromKeys(steps);
      expect(await examined(steps)).toBeLessThanOrEqual(values.length);
    },
  );

  it("by each of many languages reads no file either", async () => {
    const owner = "polyglot";
    const files = manyFiles(owner, 150).map((file, i) => ({ ...file, language: `l${i % 120}` }));
    await db.files.insertMany(files);
    const { answer, queries } = await record((store) => countFilesByValue(store, owner, "language"));
    const living = files.filter(({ deleted_at }) => !deleted_at);
    expect(answer.length).toBe(new Set(living.map(({ language }) => language)).size);
    expect(answer.reduce((sum, { count }) => sum + count, 0)).toBe(living.length);
    expect(counting(queries)).toHaveLength(1);
    await expectFromKeys(counting(queries));
  });

  it("of the trash, of what is overdue there and of what is not indexed yet is answered from keys", async () => {
    expect(await countTrash(db, OWNER)).toBe(TRASHED);
    const { queries } = await record(async (store) => {
      await countTrash(store, OWNER);
      await reportTrashExpiry(store, NOON);
      await countHits(store, OWNER, { q: "xyz", sort: "created_at_desc", limit: 20 });
    });
    expect(counting(queries).length).toBeGreaterThanOrEqual(5);
    await expectFromKeys(counting(queries));
  });

  it("by days, of a library that is read for the first time and after a loss, is answered from keys", async () => {
    const first = await record((store) => tallyLibrary(store, OWNER));
    expect(first.answer.reduce((sum, { files }) => sum + files, 0)).toBe(FILES.length - TRASHED);
    const sums = first.queries.filter(({ collection, kind }) => collection === "files" && kind === "find");
    await expectFromKeys(sums);

    expect(counting((await record((store) => tallyLibrary(store, OWNER))).queries)).toHaveLength(2);
    const lost = required(FILES.find(({ deleted_at }) => deleted_at === null));
    await db.files.deleteOne({ _id: lost._id });
    const after = await record((store) => tallyLibrary(store, OWNER));
    await db.files.insertOne(lost);
    expect(after.answer.reduce((sum, { files }) => sum + files, 0)).toBe(FILES.length - TRASHED - 1);
    const halving = counting(after.queries).filter(({ filter }) => "created_at" in filter);
    expect(halving.length).toBeGreaterThan(2);
    await expectFromKeys(counting(after.queries));
  });
});

itDrawn("a tally of one moment", 4)("a tally counts each of many files of one moment once", async () => {
  const owner = "hasty";
  await db.files.insertMany(manyFiles(owner, 4_100).map((file) => ({ ...file, created_at: NOON, lines: 1 })));
  const days = await tallyLibrary(db, owner);
  expect(days).toMatchObject([{ files: 3_690, lines: 3_690 }]);
});

/**
 * Conditions on documents that are returned anyway: whether a file is deleted, has no repository or is beyond the previous page, its
 * owner, and its id.
 */
const ASKED_OF_WHAT_IS_RETURNED = ["deleted_at", "repo", "$nor", "user_id", "_id"];

async function expectReadInOrder(
  { queries, returned }: { queries: RecordedQuery[]; returned: number },
  pinned = true,
) {
  const lists = queries.filter(({ collection, sort }) => collection === "files" && sort);
  expect(lists.length).toBeGreaterThan(0);
  for (const query of lists) {
    const { isOrdered, askedOfDocuments } = planByRules(query, query.hint);
    expect([query, isOrdered]).toEqual([query, true]);
    expect(ASKED_OF_WHAT_IS_RETURNED).toEqual(expect.arrayContaining(askedOfDocuments));
    const { stages, documents } = readExplained(await query.explain());
    expect(stages).not.toContain("SORT");
    expect(stages).not.toContain("COLLSCAN");
    // A merge of two ranges holds one file of each, and a page asks for one more.
    if (givenMongoDB || pinned) expect(documents).toBeLessThanOrEqual(returned + 3);
  }
}

const SORTED_NARROWINGS: FileNarrowing[] = [
  {},
  { lang: "python" },
  { category: "large" },
  { category: "recent" },
  { category: "web", lang: "python" },
];

const SORT_VALUES: Record<string, (file: FileDoc) => string | number> = {
  updated_at: ({ updated_at }) => updated_at.getTime(),
  name: ({ name_order }) => name_order,
  size: ({ size_bytes }) => size_bytes,
};

/** Sorts by the given order, and by id among equals. */
function sorted(files: FileDoc[], sort: FileSort): FileDoc[] {
  const [, name = "", way] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
  const value = required(SORT_VALUES[name]);
  const key = (file: FileDoc) => [value(file), file._id.toHexString()] as const;
  const inOrder = files.toSorted((a, b) => {
    const [[x, xId], [y, yId]] = [key(a), key(b)];
    return x === y ? (xId < yId ? -1 : 1) : x < y ? -1 : 1;
  });
  return way === "asc" ? inOrder : inOrder.toReversed();
}

describe("the list narrowed to", () => {
  it.each(TAKEN)(
    "%j is read in order, no file more than it shows, on every page and both ways",
    async (narrowing) => {
      const wanted = narrowed(FILES, narrowing).length;
      for (const sort of ["created_at_desc", "created_at_asc"] as const) {
        const query = { ...narrowing, sort, limit: 20 };
        const first = await recordList(query);
        expect(first.answer.files.length).toBe(Math.min(20, wanted));
        const isPinned = isOneThing(narrowing) && narrowing.category !== "recent";
        await expectReadInOrder({ ...first, returned: first.answer.files.length }, isPinned);
        const cursor = first.answer.next_cursor;
        if (!cursor) continue;
        const second = await recordList({ ...query, cursor });
        await expectReadInOrder({ ...second, returned: second.answer.files.length }, isPinned);
        const back = required(second.answer.prev_cursor);
        const again = await recordList({ ...query, before: back });
        expect(again.answer.files).toEqual(first.answer.files);
        await expectReadInOrder({ ...again, returned: again.answer.files.length }, isPinned);
      }
    },
  );

  it.each(
    FILE_SORTS.slice(2).flatMap((sort) =>
      drawCases(`lists in the order ${sort}`, SORTED_NARROWINGS, 2).map((narrowing) => ({
        sort,
        ...narrowing,
      })),
    ),
  )("%j is read in order, and its pages neither repeat nor skip a file", async ({ sort, ...narrowing }) => {
    const wanted = sorted(narrowed(FILES, narrowing), sort).map(({ _id }) => _id.toHexString());
    expect(wanted.length).toBeGreaterThan(100);
    const pages = await readPages(async (cursor) => {
      const page = await recordList({ ...narrowing, sort, limit: 100, cursor });
      const list = required(page.queries.find(({ collection, sort }) => collection === "files" && sort));
      expect(planByRules(list, list.hint).isOrdered).toBe(true);
      expect(readExplained(await list.explain()).stages).not.toContain("SORT");
      return page.answer;
    });
    const ids = pages.flatMap(({ files }) => files.map(({ id }) => id));
    expect(ids).toEqual(wanted);
  });

  it("words is walked and counted in the order of the list", async () => {
    for (const category of [undefined, "recent", "web"]) {
      const query = { q: "fi", category, lang: "python", sort: "created_at_desc", limit: 20 } as const;
      const walked = await record((store) => searchFiles(store, OWNER, query));
      await expectReadInOrder({ ...walked, returned: Number.POSITIVE_INFINITY });
      const counted = await record((store) => countHits(store, OWNER, query));
      await expectReadInOrder({ ...counted, returned: Number.POSITIVE_INFINITY });
    }
  });

  it("the trash is read in order, on every page", async () => {
    const shapes = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < 2; page += 1) {
      const query = { limit: 20, cursor };
      const { answer, queries } = await record(async (store) =>
        orThrow(await listTrash(store, OWNER, query)),
      );
      await expectReadInOrder({ queries, returned: answer.files.length });
      for (const { id } of answer.files) shapes.add(id);
      cursor = required(answer.next_cursor);
    }
    expect(shapes.size).toBe(40);
  });

  it("deletions that were cut off is read in order", async () => {
    const { queries } = await record((store) => finishDeletions(store, NOON));
    await expectReadInOrder({ queries: queries.slice(0, 1), returned: 0 });
  });
});

describe("a search", () => {
  it("finds files by their numbers, and those without one, reading no others", async () => {
    await db.files.updateMany({ user_id: OWNER, n: { $lt: 3 } }, { $set: { unindexed: "marked" } });
    const living = { user_id: OWNER, deleted_at: null };
    const byNumber = db.files.find({ ...living, ...withNumbers([10, 11, 12]) }, { hint: "by_number" });
    const marked = db.files.find({ ...living, unindexed: { $gt: "" } }, { hint: "unindexed" });
    expect(readExplained(await byNumber.explain("executionStats")).documents).toBe(3);
    expect(readExplained(await marked.explain("executionStats")).documents).toBeLessThanOrEqual(4);
    await db.files.updateMany({ user_id: OWNER }, { $unset: { unindexed: "" } });
  });

  it("reads segments by a range of their key", async () => {
    await mongo.collection("search_segments").insertOne({ _id: `${OWNER}:abc` as never });
    const segments = mongo.collection("search_segments").find(keyRange(OWNER) as object);
    expect(readExplained(await segments.explain("executionStats")).stages).not.toContain("COLLSCAN");
  });
});
