import type { RankPlan } from "#db/search/rank-plan.server.ts";
import type { Searched, SearchSource } from "#db/search/search-source.ts";
import { findLast } from "#domain/search/segment.ts";

/** Ranks with at most this many files are read completely and sorted. */
export const SMALL_RANK = 40;
/** The number of files of the next ranks that are read together with those of one rank. */
const FILES_AHEAD = 40;
/** Factor for reading files of a larger rank than the page lacks, because some files do not match as the index expects. */
export const SPARE = 1.25;

export function takeItems(numbers: Iterator<number>, count: number): number[] {
  const items: number[] = [];
  while (items.length < count) {
    const { value, done } = numbers.next();
    if (done) break;
    items.push(value);
  }
  return items;
}

/** Reads files by their numbers, together with those that are probably requested next. */
export class FilesByNumber<File extends Searched> {
  #read = new Map<number, File | null>();
  #preferred: Promise<number[]> | null = null;
  #ahead: Promise<Iterator<number>> | null = null;
  readonly #source: SearchSource<File>;
  readonly #plan: RankPlan;
  readonly #limit: number;

  constructor(source: SearchSource<File>, plan: RankPlan, limit: number) {
    this.#source = source;
    this.#plan = plan;
    this.#limit = limit;
  }

  /** The numbers are sorted, the highest first. Only the first ones of many are ever taken. */
  async orderByPreference(numbers: readonly number[]): Promise<Iterator<number>> {
    this.#preferred ??= this.#source.findPreferred(this.#plan.known);
    const has = (n: number) => numbers[findLast(numbers.length, (i) => (numbers[i] ?? 0) >= n)] === n;
    const preferred = new Set((await this.#preferred).filter(has));
    return (function* () {
      yield* preferred;
      for (const n of numbers) if (!preferred.has(n)) yield n;
    })();
  }

  async read(numbers: readonly number[]): Promise<File[]> {
    const unread = new Set(numbers.filter((n) => !this.#read.has(n)));
    if (unread.size > 0) {
      this.#ahead ??= this.#lookAhead();
      const ahead = await this.#ahead;
      while (unread.size < numbers.length + FILES_AHEAD) {
        const { value, done } = ahead.next();
        if (done) break;
        if (!this.#read.has(value)) unread.add(value);
      }
      for (const n of unread) this.#read.set(n, null);
      for (const file of await this.#source.findByNumbers([...unread]))
        if (file.n !== undefined) this.#read.set(file.n, file);
    }
    return numbers.flatMap((n) => this.#read.get(n) ?? []);
  }

  /** Lists the files of the small ranks and, if they do not fill the page, as many of the first large rank as it lacks. */
  async #lookAhead(): Promise<Iterator<number>> {
    const { ranks } = this.#plan;
    const firstLarge = ranks.findIndex(({ numbers }) => numbers.length > SMALL_RANK);
    const small = (firstLarge < 0 ? ranks : ranks.slice(0, firstLarge)).flatMap(({ numbers }) => numbers);
    const missing = this.#limit - small.length;
    const large = ranks[firstLarge];
    if (!large || missing <= 0) return small.values();
    const inOrder = await this.orderByPreference(large.numbers);
    return [...small, ...takeItems(inOrder, Math.ceil(missing * SPARE))].values();
  }
}
