/**
 * How many files, bytes and lines an owner's living files have, by the day of UTC on which each was created. The sums of a day are
 * kept and used until something in that day changed, so a large library is read once and then a day at a time.
 *
 * A file that came, came back or changed since a tally was made is marked `unindexed` or has a number beyond the last one of
 * that time: its day is read again. A file that went is only missing: as the other days can only have lost, they are right
 * where the files of all days together are as many as there are, and else the days that lost are found by halving.
 */

import type { Db } from "#db/client.ts";
import type { DayTally, FileDoc, TallyDoc } from "#db/files/documents.ts";
import { countFiles, countLiving } from "#db/files/listing/file-counts.server.ts";
import { living } from "#db/files/living-files.server.ts";
import { findLastNumber } from "#db/search/segments.server.ts";
import { toDay } from "#domain/reminders/calendar.ts";
import { lastItem, required } from "#domain/required.ts";
import { DAY_MS } from "#domain/time/durations.ts";

/** With more changes than these it is quicker to read the library again. */
const CHANGES_MAX = 2_000;
const READ_AT_ONCE = 2_000;
/** It holds all that is summed up. */
const BY_DAY = "by_day";

/** The days with living files, the first one first. */
export async function tallyLibrary(db: Db, ownerId: string): Promise<DayTally[]> {
  const at = await findLastNumber(db, ownerId);
  const before = await db.library_tallies.findOne({ _id: ownerId });
  const changed = before && (await changedDays(db, ownerId, before.at));
  const days =
    before && changed ? await broughtUpToDate(db, ownerId, before, changed) : await readDays(db, ownerId);
  const tally = { at, days: [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1)) };
  if (!before || before.at !== at || JSON.stringify(before.days) !== JSON.stringify(tally.days))
    await db.library_tallies.updateOne({ _id: ownerId }, { $set: tally }, { upsert: true });
  return tally.days;
}

type Days = Map<string, DayTally>;

/** The lower bound says what the index of numbers holds. */
export const numberedSince = (ownerId: string, at: number) => ({
  user_id: ownerId,
  n: { $gt: at, $gte: 0 },
});

/** Null where there are too many changes to tell. Marks are read first: a mark that goes meanwhile leaves a number. */
async function changedDays(db: Db, ownerId: string, at: number): Promise<Set<string> | null> {
  const created = { _id: 0, created_at: 1 } as const;
  const marked = await db.files
    .find({ ...living(ownerId), unindexed: { $gt: "" } }, { hint: "unindexed" })
    .project<{ created_at: Date }>(created)
    .limit(CHANGES_MAX)
    .toArray();
  const numbered = await db.files
    .find(numberedSince(ownerId, at), { hint: "by_number" })
    .project<{ created_at: Date }>(created)
    .limit(CHANGES_MAX)
    .toArray();
  if (marked.length === CHANGES_MAX || numbered.length === CHANGES_MAX) return null;
  return new Set([...marked, ...numbered].map(({ created_at }) => toDay(created_at)));
}

async function broughtUpToDate(
  db: Db,
  ownerId: string,
  before: TallyDoc,
  changed: Set<string>,
): Promise<Days> {
  const days: Days = new Map(before.days.map((tally) => [tally.day, tally]));
  for (const day of changed) await readAgain(db, ownerId, days, day);
  const known = [...days.keys()].sort();
  const files = await countFiles(db, ownerId, {});
  if (files !== sumDays(days, known)) await findLosses(db, ownerId, days, known);
  return days;
}

/** Reads again each of the days, given in order, whose files are not as many as they were. */
async function findLosses(db: Db, ownerId: string, days: Days, known: string[]): Promise<void> {
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return;
  const filter = { created_at: span(first, last) };
  const files = await countLiving(db, ownerId, { filter, index: BY_DAY });
  if (files === sumDays(days, known)) return;
  if (known.length === 1) return readAgain(db, ownerId, days, first);
  const half = known.length >> 1;
  await findLosses(db, ownerId, days, known.slice(0, half));
  await findLosses(db, ownerId, days, known.slice(half));
}

const sumDays = (days: Days, known: string[]) =>
  known.reduce((sum, day) => sum + required(days.get(day), "day that is known").files, 0);

const span = (first: string, last: string) => ({
  $gte: new Date(first),
  $lt: new Date(new Date(last).getTime() + DAY_MS),
});

async function readAgain(db: Db, ownerId: string, days: Days, day: string): Promise<void> {
  const read = await readDays(db, ownerId, span(day, day));
  const tally = read.get(day);
  if (tally) days.set(day, tally);
  else days.delete(day);
}

async function readDays(db: Db, ownerId: string, within: CreatedWithin = {}): Promise<Days> {
  const days: Days = new Map();
  for await (const { created_at, deleted_at, size_bytes, lines } of readKeys(db, ownerId, within)) {
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
 * What the index by days holds of each file, also of those in the trash, the newest first. Read in pages that begin with the last moment
 * of the one before, because a bound on the moment is all that keys alone can answer; what was met there is passed over.
 */
async function* readKeys(db: Db, ownerId: string, within: CreatedWithin): AsyncGenerator<FileKeys> {
  let bound: CreatedWithin & { $lte?: Date } = within;
  let met = new Set<string>();
  for (;;) {
    const limit = READ_AT_ONCE + met.size;
    const page = await db.files
      .find(
        { user_id: ownerId, ...(Object.keys(bound).length > 0 ? { created_at: bound } : {}) },
        { hint: BY_DAY },
      )
      .project<FileKeys>(KEYS)
      .sort({ created_at: -1, _id: -1 })
      .limit(limit)
      .toArray();
    yield* page.filter(({ _id }) => !met.has(_id.toHexString()));
    if (page.length < limit) return;
    const last = lastItem(page).created_at;
    const there = page.filter(({ created_at }) => created_at.getTime() === last.getTime());
    met = new Set(there.map(({ _id }) => _id.toHexString()));
    bound = { ...within, $lte: last };
  }
}
