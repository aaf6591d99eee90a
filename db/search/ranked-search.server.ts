/**
 * A ranked search through the files of a library or of a mirror. The index says which files may answer and how well at best; those are read in
 * that order, each is ranked by what it really has, and reading ends when the page is full. Files that are not indexed yet are looked through.
 */
import { setImmediate } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { FilesByNumber, SMALL_RANK, SPARE, takeSome } from "#db/search/files-by-number.server.ts";
import { type Narrowing, planRanks, type RankPlan } from "#db/search/rank-plan.server.ts";
import type { Searched, SearchSource } from "#db/search/search-source.ts";
import { type Needle, RANKS, type ReadText, rankAll, rankByName, readText } from "#domain/search/rank.ts";

type RankedSearch = Narrowing & {
  needles: readonly Needle[];
  excluded: readonly Needle[];
  /** How many answers to find, the best first. */
  limit: number;
};

export type Ranked<File> = { file: File; rank: number; text: ReadText | null };
/** Exact where everything that may answer was read; otherwise what the index says at most, or what was met at least. */
export type Precision = "exact" | "at_most" | "at_least";
export type RankedAnswer<File> = { ranked: Ranked<File>[]; count: number; precision: Precision };

const FILES_MIN = 10;
/** Where few of them have it, more are read each time, up to this many. */
const FILES_AT_ONCE_MAX = 80;
/** Before a page is full, no more than this is read of texts, and of files. */
const READ_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 1_000;

export async function searchRanked<File extends Searched>(
  db: Db,
  source: SearchSource<File>,
  search: RankedSearch,
): Promise<RankedAnswer<File>> {
  // In this order: a file that is indexed in between is in both, and in the other order it would be in neither.
  const unindexed = await source.findUnindexed();
  const plan = await planRanks(db, source.indexOwner, search.needles, search);
  const reading = new Reading(source, search, plan);
  await reading.rank(unindexed, Number.POSITIVE_INFINITY, () => false);
  const emitted: Ranked<File>[] = [];
  if (plan) {
    const files = new FilesByNumber(source, plan, search.limit);
    const numbersAt = new Map(plan.ranks.map(({ rank, numbers }) => [rank, numbers]));
    // A file may turn out to have a rank that the index expected of none.
    for (let rank = 0; rank <= search.needles.length * RANKS.line; rank += 1) {
      const missing = () =>
        reading.isOver ? 0 : Math.max(0, search.limit - emitted.length - reading.countUpTo(rank));
      const isEnough = () => missing() === 0;
      const rankSome = (some: File[]) => reading.rank(some, rank, isEnough);
      await rankThose(files, numbersAt.get(rank) ?? [], rankSome, missing);
      await reading.rankPutOff(rank, isEnough);
      emitted.push(...reading.take(rank));
      if (emitted.length >= search.limit || reading.isOver) break;
    }
  }
  if (!plan || plan.isOpen) {
    const isEnough = () => emitted.length + reading.countUpTo(Number.POSITIVE_INFINITY) >= search.limit;
    for await (const files of source.listAll()) {
      if (isEnough() || reading.isOver) break;
      await reading.rank(files, Number.POSITIVE_INFINITY, isEnough);
    }
  }
  emitted.push(...reading.take(Number.POSITIVE_INFINITY));
  const ranked = emitted.slice(0, search.limit);
  if (emitted.length < search.limit && !reading.isOver)
    return { ranked, count: emitted.length, precision: "exact" };
  if (!plan || plan.isOpen) return { ranked, count: emitted.length, precision: "at_least" };
  return { ranked, count: Math.max(emitted.length, plan.count), precision: "at_most" };
}

/** Of a few files all are read, and put in order afterwards. Of many the preferred ones come first, and no more are read than are missing. */
async function rankThose<File extends Searched>(
  files: FilesByNumber<File>,
  numbers: readonly number[],
  rank: (files: File[]) => Promise<void>,
  missing: () => number,
): Promise<void> {
  if (numbers.length === 0 || missing() === 0) return;
  if (numbers.length <= SMALL_RANK) return rank((await files.read(numbers)).sort(comparePreference));
  const inOrder = await files.startWithPreferred(numbers);
  let size = Math.max(FILES_MIN, Math.ceil(missing() * SPARE));
  while (missing() > 0) {
    const some = takeSome(inOrder, size);
    if (some.length === 0) return;
    size = Math.min(2 * size, FILES_AT_ONCE_MAX);
    await rank((await files.read(some)).sort(comparePreference));
  }
}

/** What was read so far, ranked, until it is taken. */
class Reading<File extends Searched> {
  isOver = false;
  #met = new Set<string>();
  #waiting: Ranked<File>[] = [];
  /** Files whose texts are read at a later rank. */
  #putOff = new Map<number, File[]>();
  #files = 0;
  #bytes = 0;
  readonly #source: SearchSource<File>;
  readonly #search: RankedSearch;
  readonly #plan: RankPlan | null;

  constructor(source: SearchSource<File>, search: RankedSearch, plan: RankPlan | null) {
    this.#source = source;
    this.#search = search;
    this.#plan = plan;
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

  /** Names come first. The text of a file is read where it may have this rank by it, and otherwise later or not at all. */
  async rank(files: readonly File[], rank: number, isEnough: () => boolean): Promise<void> {
    const fresh = files.filter(({ key }) => !this.#met.has(key));
    for (const { key } of fresh) this.#met.add(key);
    const unclear: File[] = [];
    for (const file of fresh) {
      const byName = this.#search.excluded.length === 0 ? rankAll(file, this.#search.needles, null) : null;
      if (byName !== null) this.#waiting.push({ file, rank: byName, text: null });
      else if (this.#expect(file) <= rank) unclear.push(file);
      else this.#putOffTo(this.#expect(file), file);
    }
    this.#files += fresh.length;
    await this.#rankByTexts(unclear, isEnough);
    if (this.#files >= FILES_MAX) this.isOver = true;
  }

  async rankPutOff(rank: number, isEnough: () => boolean): Promise<void> {
    const files = this.#putOff.get(rank) ?? [];
    this.#putOff.delete(rank);
    await this.#rankByTexts(files.sort(comparePreference), isEnough);
  }

  /** The best rank that a file may have once its name is known; none at all where its text lacks a term that its name lacks too. */
  #expect(file: File): number {
    if (file.n === undefined || !this.#plan) return 0;
    const byText = this.#plan.textRanks(file.n);
    return this.#search.needles.reduce((sum, needle, i) => {
      return sum + (rankByName(file, needle) ?? byText[i] ?? Number.POSITIVE_INFINITY);
    }, 0);
  }

  #putOffTo(rank: number, file: File): void {
    const files = this.#putOff.get(rank);
    if (files) files.push(file);
    else if (rank < Number.POSITIVE_INFINITY) this.#putOff.set(rank, [file]);
  }

  async #rankByTexts(files: readonly File[], isEnough: () => boolean): Promise<void> {
    for (const portion of splitByBytes(files)) {
      if (this.isOver || isEnough()) return;
      const texts = await this.#source.readTexts(portion);
      for (const [i, file] of portion.entries()) {
        this.#rankByText(file, texts[i] ?? "");
        await setImmediate();
      }
    }
  }

  #rankByText(file: File, body: string): void {
    const { needles, excluded } = this.#search;
    const text = readText(body, file.language);
    const knownRanks = file.n === undefined ? undefined : this.#plan?.textRanks(file.n);
    const rank = rankAll(file, needles, text, knownRanks);
    if (rank !== null && excluded.every((needle) => rankAll(file, [needle], text, [RANKS.line]) === null))
      this.#waiting.push({ file, rank, text });
    this.#bytes += file.bytes;
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
