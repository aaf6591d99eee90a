/**
 * Finds texts by a part of them, for files and for mirrors. The index names the texts that may match; these are read in the
 * order of the list, in portions, until a page is full or enough was read.
 */
import type { Db } from "#db/client.ts";
import { type Candidates, findCandidates } from "#db/segments/segments.server.ts";
import { itemAt } from "#domain/required.ts";
import { needleKeys } from "#domain/search/search-keys.ts";

const READ_AT_ONCE = 60;
const READ_BYTES = 4 * 1024 * 1024;
const NUMBERS_AT_ONCE = 500;
/** A page stops after reading this much. */
const READ_BYTES_MAX = 64 * 1024 * 1024;

/** Returns null if the needle is too short for the index, so that every text may match. */
export async function findNeedleCandidates(
  db: Db,
  indexOwner: string,
  needle: string,
): Promise<Candidates | null> {
  const keys = needleKeys("text", needle);
  if (keys.length === 0) return null;
  return itemAt(await findCandidates(db, indexOwner, [keys]), 0);
}

/** Few candidates are fetched by their numbers; with many, reading the list in order fills a page sooner. */
export function areCandidatesFew({ count, known }: Candidates, limit: number): boolean {
  return count ** 2 <= limit * known;
}

/** The lower bound is the condition of the index of numbers. */
export const withNumbers = (numbers: number[]) => ({ n: { $in: numbers, $gte: 0 } });

export function toNumberFilters(candidates: Candidates) {
  const numbers = candidates.numbers();
  const portions = Math.ceil(numbers.length / NUMBERS_AT_ONCE);
  return Array.from({ length: portions }, (_, i) =>
    withNumbers(numbers.slice(i * NUMBERS_AT_ONCE, (i + 1) * NUMBERS_AT_ONCE)),
  );
}

export type Possible<Item> = Iterable<Item> | AsyncIterable<Item>;
type Reading<Item, Hit> = {
  limit: number;
  maxRead: number;
  countBytes: (item: Item) => number;
  /** Reads the texts and returns those that match. */
  verify: (items: Item[]) => Promise<Hit[]>;
};
/** `stoppedAt` is the last item read, if reading stopped before the end without a full page. */
type ReadResult<Item, Hit> = { hits: Hit[]; more: boolean; stoppedAt: Item | undefined };

/** Looks for one hit more than a page, to determine if there is a next page. */
export async function readUntilFull<Item, Hit>(
  possible: Possible<Item>,
  { limit, maxRead, countBytes, verify }: Reading<Item, Hit>,
): Promise<ReadResult<Item, Hit>> {
  const hits: Hit[] = [];
  let [readCount, bytes] = [0, 0];
  for await (const items of splitIntoPortions(possible, limit + 1, countBytes)) {
    hits.push(...(await verify(items)));
    if (hits.length > limit) return { hits: hits.slice(0, limit), more: true, stoppedAt: undefined };
    readCount += items.length;
    bytes += items.reduce((sum, item) => sum + countBytes(item), 0);
    if (readCount >= maxRead || bytes >= READ_BYTES_MAX) return { hits, more: true, stoppedAt: items.at(-1) };
  }
  return { hits, more: false, stoppedAt: undefined };
}

/** The first portion fills a page if every item in it matches, as for a common word. */
async function* splitIntoPortions<Item>(
  items: Possible<Item>,
  first: number,
  countBytes: (item: Item) => number,
): AsyncGenerator<Item[]> {
  let portion: Item[] = [];
  let bytes = 0;
  let portionSize = Math.min(first, READ_AT_ONCE);
  for await (const item of items) {
    portion.push(item);
    bytes += countBytes(item);
    if (portion.length < portionSize && bytes < READ_BYTES) continue;
    yield portion;
    [portion, bytes, portionSize] = [[], 0, READ_AT_ONCE];
  }
  if (portion.length > 0) yield portion;
}
