import { LRUCache } from "lru-cache";
import type { Filter } from "mongodb";
import type { Db } from "#db/client.ts";
import { asFilter } from "#db/core/driver/driver-types.ts";
import type { FileDoc } from "#db/files/documents.ts";
import { TRASH_INDEX, TRASHED } from "#db/files/listing/file-counts.server.ts";
import { TAG_INDEX } from "#db/files/listing/file-filters.server.ts";
import { allocateNumbers, findLastNumber } from "#db/segments/segments.server.ts";
import { findSpelling } from "#domain/files/tags.ts";
import { itemAt } from "#domain/required.ts";
import { coalesceCalls } from "#platform/coalesce-calls.ts";

export type Facet = { value: string; count: number };
type Facets = { languages: Facet[]; tags: Facet[]; repos: Facet[] /** All living files. */; files: number };

const SHOWN_MAX = 30;
const CACHE_MIN_MS = 30_000;
const CACHE_TIME_FACTOR = 100;
const OWNERS_MAX = 1_000;
/** Up to this many values are read one by one along the index; more are grouped at once. */
const STEPS_MAX = 100;

type CachedFacets = { lastNumber: number; untilMs: number; facets: Facets };
const caches = new WeakMap<object, LRUCache<string, CachedFacets>>();

/**
 * Lists the languages, tags and repositories of an owner's files outside the trash, the most used first. While nothing was
 * indexed, they are cached for half a minute, or for a hundred times the time of counting if that is longer. Then they are counted again even
 * without a new number, because a process may die between a write and its number.
 */
export async function listFacets(db: Db, ownerId: string, nowMs = () => performance.now()): Promise<Facets> {
  const cache = caches.get(db.files) ?? new LRUCache<string, CachedFacets>({ max: OWNERS_MAX });
  caches.set(db.files, cache);
  const lastNumber = await findLastNumber(db, ownerId);
  const cached = cache.get(ownerId);
  const startedMs = nowMs();
  const isChanged = db.indexQueue?.has(ownerId) ?? false;
  if (cached && !isChanged && cached.lastNumber === lastNumber && startedMs < cached.untilMs)
    return cached.facets;
  const [languages, tags, repos] = await Promise.all([
    countFilesByValue(db, ownerId, "language"),
    countFilesByValue(db, ownerId, "tags"),
    countFilesByValue(db, ownerId, "repo"),
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
  const untilMs = endedMs + Math.max(CACHE_MIN_MS, tookMs * CACHE_TIME_FACTOR);
  cache.set(ownerId, { lastNumber, untilMs, facets });
  return facets;
}

/** Makes the cached counts invalid after files were added or removed without being indexed. */
export async function invalidateFacets(db: Db, ownerId: string): Promise<void> {
  await allocateNumbers(db, ownerId, 1);
}

type Field = "language" | "tags" | "repo";

/** The column of each field that is counted, and the index that contains its values in order, by owner. */
const COUNTED = {
  language: { column: "language", index: "files_of_language" },
  tags: { column: "tag_keys", index: TAG_INDEX },
  repo: { column: "repo", index: "files_of_repo" },
} as const satisfies Record<Field, { column: keyof FileDoc; index: string }>;

/**
 * Counts the files of each value outside the trash, the most used value first. The values are read one by one along their
 * index, and each is counted by its range there, so no file is read, except one for each tag.
 */
export function countFilesByValue(db: Db, ownerId: string, field: Field): Promise<Facet[]> {
  const counts = countersByStore.get(db.files) ?? createCounters(db);
  countersByStore.set(db.files, counts);
  return counts[field](ownerId);
}

type Counters = Record<Field, (ownerId: string) => Promise<Facet[]>>;
const countersByStore = new WeakMap<object, Counters>();

/** Simultaneous requests of one owner share a count, because each would read the same values. */
function createCounters(db: Db): Counters {
  const count = (field: Field) => coalesceCalls((ownerId) => countAlongIndex(db, ownerId, field));
  return { language: count("language"), tags: count("tags"), repo: count("repo") };
}

async function countAlongIndex(db: Db, ownerId: string, field: Field): Promise<Facet[]> {
  const values: string[] = [];
  const spellings = new Map<string, string>();
  for (let next = await findNextValue(db, ownerId, field, ""); next !== null; ) {
    values.push(next.value);
    spellings.set(next.value, next.shown);
    if (values.length > STEPS_MAX) return countByReading(db, ownerId, field);
    next = await findNextValue(db, ownerId, field, next.value);
  }
  if (values.length === 0) return [];
  const [all, trashed] = await Promise.all([
    Promise.all(values.map((value) => countFilesWithValue(db, ownerId, field, value))),
    countTrashed(db, ownerId, field, values),
  ]);
  return values
    .map((value, i) => ({ value, count: itemAt(all, i) - (trashed.get(value) ?? 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || byBytes(a.value, b.value))
    .map(({ value, count }) => ({ value: spellings.get(value) ?? value, count }));
}

const countFilesWithValue = (
  db: Db,
  ownerId: string,
  field: Field,
  value: string,
  narrowing: Filter<FileDoc> = {},
) =>
  db.files.countDocuments(
    asFilter<FileDoc>({ user_id: ownerId, [COUNTED[field].column]: value, ...narrowing }),
    {
      hint: COUNTED[field].index,
    },
  );

/** Counts the files in the trash for each value. An index of tags cannot return a file's tags, so each tag is counted. */
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
    async (value): Promise<[string, number]> => [
      value,
      await countFilesWithValue(db, ownerId, field, value, TRASHED),
    ],
  );
  return new Map(await Promise.all(counts));
}

/** The store orders strings by their bytes, and JavaScript orders some emoji differently. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Finds the next value, also of files in the trash. The index is named because its order makes the first match the right one. */
async function findNextValue(
  db: Db,
  ownerId: string,
  field: Field,
  previous: string,
): Promise<{ value: string; shown: string } | null> {
  const { column, index } = COUNTED[field];
  const [file] = await db.files
    .find({ user_id: ownerId, [column]: { $gt: previous } }, { hint: index })
    .project<Pick<FileDoc, typeof column> & Partial<Pick<FileDoc, "tags">>>({
      _id: 0,
      [column]: 1,
      [field]: 1,
    })
    .limit(1)
    .toArray();
  if (!file) return null;
  const laterValues = [file[column] ?? []].flat().filter((value) => byBytes(value, previous) > 0);
  const value = laterValues.sort(byBytes)[0];
  return value === undefined ? null : { value, shown: toShownValue(field, value, file.tags) };
}

/** A tag is shown in the spelling of a file that has it. */
const toShownValue = (field: Field, value: string, tags: readonly string[] = []) =>
  (field === "tags" ? findSpelling(tags, value) : undefined) ?? value;

/** Groups languages and repositories from keys alone; for tags, every file with a tag is read. */
async function countByReading(db: Db, ownerId: string, field: Field): Promise<Facet[]> {
  const { column, index } = COUNTED[field];
  const isTrashed = { $gt: ["$deleted_at", new Date(0)] };
  const tagFields = field === "tags" ? { tags: { $first: "$tags" } } : {};
  const counts = await db.files
    .aggregate<{ _id: string; count: number; tags?: string[] }>(
      [
        { $match: { user_id: ownerId, [column]: { $gt: "" } } },
        { $unwind: `$${column}` },
        { $group: { _id: `$${column}`, count: { $sum: { $cond: [isTrashed, 0, 1] } }, ...tagFields } },
        { $match: { count: { $gt: 0 } } },
        { $sort: { count: -1, _id: 1 } },
      ],
      { hint: index },
    )
    .toArray();
  return counts.map(({ _id, count, tags }) => ({ value: toShownValue(field, _id, tags), count }));
}
