/**
 * A ranked search through the files of a library or of a mirror. The index says which files may answer and how well at best; those are read in
 * that order, each is ranked by what it really has, and reading ends when the page is full. Files that are not indexed yet are looked through.
 */
import type { Db } from "#db/client.ts";
import { type Narrowing, planRanks } from "#db/search/rank-plan.server.ts";
import { type Named, type Needle, RANKS, type ReadText, rankAll, readText } from "#domain/search/rank.ts";

/** What a search needs of a file, wherever it is kept. */
export type Searched = Named & {
  key: string;
  n?: number;
  bytes: number;
  /** Lower is better among files of one rank; null where nothing prefers it. */
  preference: number | null;
  updatedAt: Date;
};

/** Where files are searched. Everything it answers is already narrowed to what was asked for. */
export type SearchSource<File extends Searched> = {
  indexOwner: string;
  findByNumbers(numbers: readonly number[]): Promise<File[]>;
  findUnindexed(): Promise<File[]>;
  /** Those that come first among equals: pinned, starred, opened lately. */
  findPreferred(): Promise<File[]>;
  /** All of it, newest first, for what the index cannot tell. */
  listAll(): AsyncIterable<File[]>;
  readTexts(files: readonly File[]): Promise<(string | null)[]>;
};

export type RankedSearch = Narrowing & {
  needles: readonly Needle[];
  excluded: readonly Needle[];
  /** So many answers are wanted, from the best on. */
  wanted: number;
};

export type Ranked<File> = { file: File; rank: number; line?: number; text: ReadText | null };
/** `count` is exact where everything that may answer was read. */
export type RankedAnswer<File> = { ranked: Ranked<File>[]; count: number; isExact: boolean };

const FILES_AT_ONCE = 40;
/** Before a page is full, no more than this is read of texts, and of files. */
const READ_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 1_000;

export async function searchRanked<File extends Searched>(
  db: Db,
  source: SearchSource<File>,
  search: RankedSearch,
): Promise<RankedAnswer<File>> {
  const [plan, unindexed] = await Promise.all([
    planRanks(db, source.indexOwner, search.needles, search),
    source.findUnindexed(),
  ]);
  const reading = new Reading(source, search);
  await reading.rank(unindexed, () => false);
  let early: Map<number, File> | null = null;
  const emitted: Ranked<File>[] = [];
  for (const { rank, numbers } of plan?.ranks ?? []) {
    const isEnough = () => emitted.length + reading.countUpTo(rank) >= search.wanted;
    // Of a few all are read, and put in order afterwards.
    if (numbers.length > FILES_AT_ONCE) early ??= await findPreferred(source);
    const first = numbers.flatMap((n) => early?.get(n) ?? []).sort(comparePreference);
    reading.mayDefine = rank < search.needles.length * RANKS.line;
    await reading.rank(first, isEnough);
    const rest = numbers.filter((n) => !early?.has(n));
    for (let at = 0; at < rest.length && !isEnough() && !reading.isOver; at += FILES_AT_ONCE) {
      const files = await source.findByNumbers(rest.slice(at, at + FILES_AT_ONCE));
      await reading.rank(files.sort(comparePreference), isEnough);
    }
    emitted.push(...reading.take(rank));
    if (emitted.length >= search.wanted || reading.isOver) break;
  }
  if (!plan || plan.isOpen) {
    const isEnough = () => emitted.length + reading.countUpTo(Number.POSITIVE_INFINITY) >= search.wanted;
    reading.mayDefine = true;
    for await (const files of source.listAll()) {
      if (isEnough() || reading.isOver) break;
      await reading.rank(files, isEnough);
    }
  }
  emitted.push(...reading.take(Number.POSITIVE_INFINITY));
  const isExact = emitted.length < search.wanted && !reading.isOver;
  return {
    ranked: emitted.slice(0, search.wanted),
    count: isExact ? emitted.length : Math.max(emitted.length, plan?.count ?? 0),
    isExact,
  };
}

async function findPreferred<File extends Searched>(source: SearchSource<File>): Promise<Map<number, File>> {
  const files = await source.findPreferred();
  return new Map(files.flatMap((file) => (file.n === undefined ? [] : [[file.n, file]])));
}

/** What was read so far, ranked, until it is taken. */
class Reading<File extends Searched> {
  isOver = false;
  /** Whether the index leaves it open that what is read next defines what is asked for. */
  mayDefine = true;
  #met = new Set<string>();
  #waiting: Ranked<File>[] = [];
  #files = 0;
  #bytes = 0;
  readonly #source: SearchSource<File>;
  readonly #search: RankedSearch;

  constructor(source: SearchSource<File>, search: RankedSearch) {
    this.#source = source;
    this.#search = search;
  }

  /** How many are known to stand at this rank or before it. */
  countUpTo(rank: number): number {
    return this.#waiting.filter((one) => one.rank <= rank).length;
  }

  take(rank: number): Ranked<File>[] {
    const taken = this.#waiting.filter((one) => one.rank <= rank).sort(compareRanked);
    this.#waiting = this.#waiting.filter((one) => one.rank > rank);
    return taken;
  }

  /** Names are asked first; the texts of the others are read, until there has been enough. */
  async rank(files: readonly File[], isEnough: () => boolean): Promise<void> {
    const fresh = files.filter(({ key }) => !this.#met.has(key));
    for (const { key } of fresh) this.#met.add(key);
    const { needles, excluded } = this.#search;
    const unclear: File[] = [];
    for (const file of fresh) {
      const ranked = excluded.length === 0 ? rankAll(file, needles, null) : null;
      if (ranked) this.#waiting.push({ file, ...ranked, text: null });
      else unclear.push(file);
    }
    this.#files += fresh.length;
    for (const portion of splitByBytes(unclear)) {
      if (this.isOver || isEnough()) return;
      await this.#rankByTexts(portion);
    }
    if (this.#files >= FILES_MAX) this.isOver = true;
  }

  async #rankByTexts(files: readonly File[]): Promise<void> {
    const { needles, excluded } = this.#search;
    const texts = await this.#source.readTexts(files);
    for (const [i, file] of files.entries()) {
      const text = readText(texts[i] ?? "", file.language, this.mayDefine);
      const ranked = rankAll(file, needles, text);
      if (ranked && excluded.every((needle) => rankAll(file, [needle], text) === null))
        this.#waiting.push({ file, ...ranked, text });
      this.#bytes += file.bytes;
    }
    if (this.#bytes >= READ_BYTES_MAX) this.isOver = true;
  }
}

/** Every edit takes a higher number; what has none yet was edited last of all. */
const age = ({ n }: Searched) => n ?? Number.MAX_SAFE_INTEGER;

/** Pinned, starred, opened lately; then what was edited last. */
function comparePreference(a: Searched, b: Searched): number {
  const [x, y] = [a.preference ?? Number.MAX_SAFE_INTEGER, b.preference ?? Number.MAX_SAFE_INTEGER];
  return x - y || age(b) - age(a);
}

const compareRanked = (a: Ranked<Searched>, b: Ranked<Searched>) =>
  a.rank - b.rank || comparePreference(a.file, b.file);

const PORTION_BYTES = 1024 * 1024;
const PORTION_FILES = 24;

function* splitByBytes<File extends Searched>(files: readonly File[]): Generator<File[]> {
  let portion: File[] = [];
  let bytes = 0;
  for (const file of files) {
    portion.push(file);
    bytes += file.bytes;
    if (bytes < PORTION_BYTES && portion.length < PORTION_FILES) continue;
    yield portion;
    [portion, bytes] = [[], 0];
  }
  if (portion.length > 0) yield portion;
}
