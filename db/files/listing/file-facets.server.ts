import { LRUCache } from "lru-cache";
import type { Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import { asFilter } from "#db/driver/driver-types.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { TRASH_INDEX, TRASHED } from "#db/files/listing/file-counts.server.ts";
import { TAG_INDEX } from "#db/files/listing/file-filters.server.ts";
import { findLastNumber, takeNumbers } from "#db/search/segments.server.ts";
import { findSpelling } from "#domain/files/tags.ts";
import { itemAt } from "#domain/required.ts";
import { coalesceCalls } from "#platform/coalesce-calls.ts";

export type Facet = { value: string; count: number };
type Facets = { languages: Facet[]; tags: Facet[]; repos: Facet[] /** All living files. */; files: number };

const SHOWN_MAX = 30;
const KEPT_MS = 30_000;
const KEPT_FOR_TIMES = 100;
const OWNERS_MAX = 1_000;
/** Up to so many different values are stepped through one by one; more are read at once. */
const STEPS_MAX = 100;

type Kept = { lastNumber: number; untilMs: number; facets: Facets };
const kept = new WeakMap<object, LRUCache<string, Kept>>();

/**
 * The languages, tags and repositories of the owner's living files, the most used first. They are not counted again while nothing was
 * indexed, for half a minute, or for a hundred times as long as counting took. They are counted again even without a new number, because a process
 * may be killed between a write and its number.
 */
export async function listFacets(db: Db, ownerId: string, nowMs = () => performance.now()): Promise<Facets> {
  const known = kept.get(db.files) ?? new LRUCache<string, Kept>({ max: OWNERS_MAX });
  kept.set(db.files, known);
  const lastNumber = await findLastNumber(db, ownerId);
  const before = known.get(ownerId);
  const startedMs = nowMs();
  const isChanged = db.indexQueue?.has(ownerId) ?? false;
  if (before && !isChanged && before.lastNumber === lastNumber && startedMs < before.untilMs)
    return before.facets;
  const [languages, tags, repos] = await Promise.all([
    countBy(db, ownerId, "language"),
    countBy(db, ownerId, "tags"),
    countBy(db, ownerId, "repo"),
  ]);
  const facets = {
    languages: languages.slice(0, SHOWN_MAX),
    tags: tags.slice(0, SHOWN_MAX),
    repos: repos.slice(0, SHOWN_MAX),
    // Every file has one language.
    files: languages.reduce((sum, { count }) => sum + count, 0),
  };
  const endedMs = nowMs();
  const tookMs = endedMs - startedMs;
  const untilMs = endedMs + Math.max(KEPT_MS, tookMs * KEPT_FOR_TIMES);
  known.set(ownerId, { lastNumber, untilMs, facets });
  return facets;
}

/** After files came or went without being indexed, what was counted before is not true any more. */
export async function recountFacets(db: Db, ownerId: string): Promise<void> {
  await takeNumbers(db, ownerId, 1);
}

type Field = "language" | "tags" | "repo";

/** Where the values of each field are that files are counted by, and the index that holds them in order, an owner's files together. */
const COUNTED = {
  language: { column: "language", index: "files_of_language" },
  tags: { column: "tag_keys", index: TAG_INDEX },
  repo: { column: "repo", index: "files_of_repo" },
} as const satisfies Record<Field, { column: keyof FileDoc; index: string }>;

/**
 * How many living files have each value, the most used first. The values are stepped through along their index and each is
 * counted by its range there: no file is read, but for each tag one.
 */
export function countBy(db: Db, ownerId: string, field: Field): Promise<Facet[]> {
  const counts = counting.get(db.files) ?? getCounting(db);
  counting.set(db.files, counts);
  return counts[field](ownerId);
}

type Counting = Record<Field, (ownerId: string) => Promise<Facet[]>>;
const counting = new WeakMap<object, Counting>();

/** Concurrent requests of one owner share a count, because each would read the same values. */
function getCounting(db: Db): Counting {
  const count = (field: Field) => coalesceCalls((ownerId) => countAlongIndex(db, ownerId, field));
  return { language: count("language"), tags: count("tags"), repo: count("repo") };
}

async function countAlongIndex(db: Db, ownerId: string, field: Field): Promise<Facet[]> {
  const values: string[] = [];
  const shown = new Map<string, string>();
  for (let next = await nextValue(db, ownerId, field, ""); next !== null; ) {
    values.push(next.value);
    shown.set(next.value, next.shown);
    if (values.length > STEPS_MAX) return countByReading(db, ownerId, field);
    next = await nextValue(db, ownerId, field, next.value);
  }
  if (values.length === 0) return [];
  const [all, trashed] = await Promise.all([
    Promise.all(values.map((value) => countWith(db, ownerId, field, value))),
    countTrashed(db, ownerId, field, values),
  ]);
  return values
    .map((value, i) => ({ value, count: itemAt(all, i) - (trashed.get(value) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || byBytes(a.value, b.value))
    .map(({ value, count }) => ({ value: shown.get(value) ?? value, count }));
}

const countWith = (db: Db, ownerId: string, field: Field, value: string, narrowing: Filter<FileDoc> = {}) =>
  db.files.countDocuments(
    asFilter<FileDoc>({ user_id: ownerId, [COUNTED[field].column]: value, ...narrowing }),
    {
      hint: COUNTED[field].index,
    },
  );

/** How many files in the trash have each value. An index of tags cannot tell a file's tags, so each tag is counted. */
async function countTrashed(
  db: Db,
  ownerId: string,
  field: Field,
  values: string[],
): Promise<Map<string, number>> {
  const trash = { user_id: ownerId, ...TRASHED };
  if (field !== "tags") {
    const counts = await db.files
      .aggregate<Facet>(
        [
          { $match: trash },
          { $group: { _id: `$${field}`, count: { $sum: 1 } } },
          { $project: { _id: 0, value: "$_id", count: 1 } },
        ],
        { hint: TRASH_INDEX },
      )
      .toArray();
    return new Map(counts.map(({ value, count }) => [value, count]));
  }
  if ((await db.files.countDocuments(trash, { hint: TRASH_INDEX, limit: 1 })) === 0) return new Map();
  const counts = values.map(
    async (value): Promise<[string, number]> => [value, await countWith(db, ownerId, field, value, TRASHED)],
  );
  return new Map(await Promise.all(counts));
}

/** The store orders strings by their bytes; JavaScript would order some emoji otherwise. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** The first value past another, also of files in the trash. The index is named because its order makes the first file found the right one. */
async function nextValue(
  db: Db,
  ownerId: string,
  field: Field,
  past: string,
): Promise<{ value: string; shown: string } | null> {
  const { column, index } = COUNTED[field];
  const [file] = await db.files
    .find({ user_id: ownerId, [column]: { $gt: past } }, { hint: index })
    .project<Pick<FileDoc, typeof column> & Partial<Pick<FileDoc, "tags">>>({
      _id: 0,
      [column]: 1,
      [field]: 1,
    })
    .limit(1)
    .toArray();
  if (!file) return null;
  const beyond = [file[column] ?? []].flat().filter((value) => byBytes(value, past) > 0);
  const value = beyond.sort(byBytes)[0];
  return value === undefined ? null : { value, shown: show(field, value, file.tags) };
}

/** A tag is shown as a file spells it that has it. */
const show = (field: Field, value: string, tags: readonly string[] = []) =>
  (field === "tags" ? findSpelling(tags, value) : undefined) ?? value;

/** Languages and repositories are grouped from keys alone; for tags every file that has one is read. */
async function countByReading(db: Db, ownerId: string, field: Field): Promise<Facet[]> {
  const { column, index } = COUNTED[field];
  const isTrashed = { $gt: ["$deleted_at", new Date(0)] };
  const spelled = field === "tags" ? { tags: { $first: "$tags" } } : {};
  const counts = await db.files
    .aggregate<{ _id: string; count: number; tags?: string[] }>(
      [
        { $match: { user_id: ownerId, [column]: { $gt: "" } } },
        { $unwind: `$${column}` },
        { $group: { _id: `$${column}`, count: { $sum: { $cond: [isTrashed, 0, 1] } }, ...spelled } },
        { $match: { count: { $gt: 0 } } },
        { $sort: { count: -1, _id: 1 } },
      ],
      { hint: index },
    )
    .toArray();
  return counts.map(({ _id, count, tags }) => ({ value: show(field, _id, tags), count }));
}
