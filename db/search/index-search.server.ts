/**
 * Finding texts by a part of them, for files and for mirrors alike. The index says which texts may have the needle; those
 * are read in the order of the list, in portions, until a page is full or enough was read.
 */
import type { Db } from "#db/client.ts";
import { type Candidates, findCandidates } from "#db/search/segments.server.ts";
import { needleKeys } from "#domain/search/search-keys.ts";

const READ_AT_ONCE = 60;
const READ_BYTES = 4 * 1024 * 1024;
const NUMBERS_AT_ONCE = 500;
/** One page reads no more than this before it stops. */
const READ_BYTES_MAX = 64 * 1024 * 1024;

/** Null where the needle is too short for the index: every text may have it. */
export async function findNeedleCandidates(
  db: Db,
  indexOwner: string,
  needle: string,
): Promise<Candidates | null> {
  const keys = needleKeys("text", needle);
  if (keys.length === 0) return null;
  const found = await findCandidates(db, indexOwner, [keys]);
  return found?.[0] ?? null;
}

/** Few are fetched by their numbers; of many, a walk down the list meets a page full of them sooner. */
export function isNarrow({ count, known }: Candidates, limit: number): boolean {
  return count ** 2 <= limit * known;
}

/** The lower bound says what the index of numbers holds. */
export const withNumbers = (numbers: number[]) => ({ n: { $in: numbers, $gte: 0 } });

/** Filters that fetch all candidates by their numbers. */
export function filterByNumbers(candidates: Candidates) {
  const numbers = candidates.numbers();
  const portions = Math.ceil(numbers.length / NUMBERS_AT_ONCE);
  return Array.from({ length: portions }, (_, i) =>
    withNumbers(numbers.slice(i * NUMBERS_AT_ONCE, (i + 1) * NUMBERS_AT_ONCE)),
  );
}

export type Possible<Item> = Iterable<Item> | AsyncIterable<Item>;
type Reading<Item, Hit> = {
  limit: number;
  /** Items that one page reads before it stops. */
  maxRead: number;
  countBytes: (item: Item) => number;
  /** Reads the texts and answers those that have the needle. */
  verify: (items: Item[]) => Promise<Hit[]>;
};
/** `stoppedAt` is the last item that was read where it stopped before the end without a full page. */
type Read<Item, Hit> = { hits: Hit[]; more: boolean; stoppedAt: Item | undefined };

/** One more than a page is looked for, to know whether there is a next one. */
export async function readUntilFull<Item, Hit>(
  possible: Possible<Item>,
  { limit, maxRead, countBytes, verify }: Reading<Item, Hit>,
): Promise<Read<Item, Hit>> {
  const hits: Hit[] = [];
  let [read, bytes] = [0, 0];
  for await (const items of inPortions(possible, limit + 1, countBytes)) {
    hits.push(...(await verify(items)));
    if (hits.length > limit) return { hits: hits.slice(0, limit), more: true, stoppedAt: undefined };
    read += items.length;
    bytes += items.reduce((sum, item) => sum + countBytes(item), 0);
    if (read >= maxRead || bytes >= READ_BYTES_MAX) return { hits, more: true, stoppedAt: items.at(-1) };
  }
  return { hits, more: false, stoppedAt: undefined };
}

/** The first portion fills a page where every item in it has the needle, as for a common word. */
async function* inPortions<Item>(
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
