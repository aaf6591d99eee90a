/**
 * Counts an owner's files outside the trash, with their bytes and lines, by the UTC day of creation. The sums of a day are stored and used
 * until something in the day changes, so a large library is read once and then a day at a time. A new, restored or changed file is marked
 * `unindexed` or has a number above the tally's, so its day is read again. A removed file is only missing: other days can only have lost
 * files, so they are right if the total is, and otherwise the days with losses are found by halving.
 */

import type { Db } from "#db/client.ts";
import type { DayTally, FileDoc, TallyDoc } from "#db/files/documents.ts";
import { countFiles, countLivingFiles } from "#db/files/listing/file-counts.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { findLastNumber } from "#db/segments/segments.server.ts";
import { toDay } from "#domain/reminders/calendar.ts";
import { lastItem, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/** With more changes, reading the whole library again is faster. */
const CHANGES_MAX = 2_000;
const READ_AT_ONCE = 2_000;
/** Contains all fields that are summed. */
const BY_DAY = "by_day";

export async function tallyLibrary(db: Db, ownerId: string): Promise<DayTally[]> {
  const lastNumber = await findLastNumber(db, ownerId);
  const previous = await db.library_tallies.findOne({ _id: ownerId });
  const changedDays = previous && (await findChangedDays(db, ownerId, previous.at));
  const days =
    previous && changedDays
      ? await updateDays(db, ownerId, previous, changedDays)
      : await readDays(db, ownerId);
  const tally = { at: lastNumber, days: [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1)) };
  if (!previous || previous.at !== lastNumber || JSON.stringify(previous.days) !== JSON.stringify(tally.days))
    await db.library_tallies.updateOne({ _id: ownerId }, { $set: tally }, { upsert: true });
  return tally.days;
}

type Days = Map<string, DayTally>;

/** The lower bound is the condition of the index of numbers. */
export const toNumberedSinceFilter = (ownerId: string, lastNumber: number) => ({
  user_id: ownerId,
  n: { $gt: lastNumber, $gte: 0 },
});

/** Returns null if there are too many changes. Marks are read first, because a mark that is removed in between leaves a number. */
async function findChangedDays(db: Db, ownerId: string, lastNumber: number): Promise<Set<string> | null> {
  const created = { _id: 0, created_at: 1 } as const;
  const marked = await db.files
    .find({ ...living(ownerId), unindexed: { $gt: "" } }, { hint: "unindexed" })
    .project<{ created_at: Date }>(created)
    .limit(CHANGES_MAX)
    .toArray();
  const numbered = await db.files
    .find(toNumberedSinceFilter(ownerId, lastNumber), { hint: "by_number" })
    .project<{ created_at: Date }>(created)
    .limit(CHANGES_MAX)
    .toArray();
  if (marked.length === CHANGES_MAX || numbered.length === CHANGES_MAX) return null;
  return new Set([...marked, ...numbered].map(({ created_at }) => toDay(created_at)));
}

async function updateDays(
  db: Db,
  ownerId: string,
  previous: TallyDoc,
  changedDays: Set<string>,
): Promise<Days> {
  const days: Days = new Map(previous.days.map((tally) => [tally.day, tally]));
  for (const day of changedDays) await rereadDay(db, ownerId, days, day);
  const sortedDays = [...days.keys()].sort();
  const files = await countFiles(db, ownerId, {});
  if (files !== sumDays(days, sortedDays)) await rereadChangedDays(db, ownerId, days, sortedDays);
  return days;
}

/** Reads those of the sorted days again that have another number of files. */
async function rereadChangedDays(db: Db, ownerId: string, days: Days, sortedDays: string[]): Promise<void> {
  const [first, last] = [sortedDays[0], sortedDays.at(-1)];
  if (first === undefined || last === undefined) return;
  const filter = { created_at: toDaySpan(first, last) };
  const files = await countLivingFiles(db, ownerId, { filter, index: BY_DAY });
  if (files === sumDays(days, sortedDays)) return;
  if (sortedDays.length === 1) return rereadDay(db, ownerId, days, first);
  const half = sortedDays.length >> 1;
  await rereadChangedDays(db, ownerId, days, sortedDays.slice(0, half));
  await rereadChangedDays(db, ownerId, days, sortedDays.slice(half));
}

const sumDays = (days: Days, sortedDays: string[]) =>
  sortedDays.reduce((sum, day) => sum + required(days.get(day), "day that is known").files, 0);

const toDaySpan = (first: string, last: string) => ({
  $gte: new Date(first),
  $lt: new Date(new Date(last).getTime() + DAY_MS),
});

async function rereadDay(db: Db, ownerId: string, days: Days, day: string): Promise<void> {
  const newDays = await readDays(db, ownerId, toDaySpan(day, day));
  const tally = newDays.get(day);
  if (tally) days.set(day, tally);
  else days.delete(day);
}

async function readDays(db: Db, ownerId: string, within: CreatedWithin = {}): Promise<Days> {
  const days: Days = new Map();
  for await (const { created_at, deleted_at, size_bytes, lines } of readFileKeys(db, ownerId, within)) {
    if (deleted_at) continue;
    const day = toDay(created_at);
    const tally = days.get(day) ?? { day, files: 0, bytes: 0, lines: 0 };
    days.set(day, {
      day,
      files: tally.files + 1,
      bytes: tally.bytes + size_bytes,
      lines: tally.lines + lines,
    });
  }
  return days;
}

type CreatedWithin = { $gte?: Date; $lt?: Date };
type FileKeys = Pick<FileDoc, "_id" | "created_at" | "deleted_at" | "size_bytes" | "lines">;
const KEYS = { created_at: 1, deleted_at: 1, size_bytes: 1, lines: 1 } as const;

/**
 * Reads the index by day for each file, also in the trash, newest first. Each page begins with the last time of the one before,
 * because keys alone can only answer a bound on the time; files that were already read are skipped.
 */
async function* readFileKeys(db: Db, ownerId: string, within: CreatedWithin): AsyncGenerator<FileKeys> {
  let bound: CreatedWithin & { $lte?: Date } = within;
  let seenIds = new Set<string>();
  for (;;) {
    const limit = READ_AT_ONCE + seenIds.size;
    const page = await db.files
      .find(
        { user_id: ownerId, ...(Object.keys(bound).length > 0 ? { created_at: bound } : {}) },
        { hint: BY_DAY },
      )
      .project<FileKeys>(KEYS)
      .sort({ created_at: -1, _id: -1 })
      .limit(limit)
      .toArray();
    yield* page.filter(({ _id }) => !seenIds.has(_id.toHexString()));
    if (page.length < limit) return;
    const last = lastItem(page).created_at;
    const filesAtLastMoment = page.filter(({ created_at }) => created_at.getTime() === last.getTime());
    seenIds = new Set(filesAtLastMoment.map(({ _id }) => _id.toHexString()));
    bound = { ...within, $lte: last };
  }
}
