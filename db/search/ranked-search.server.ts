/**
 * Searches files of a library or of a mirror by rank. The index names the files that may match and their best possible rank;
 * files are read in that order, each is ranked by its contents, and reading ends when the page is full. Files that are not
 * indexed yet are read in any case.
 */
import { setImmediate } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { FilesByNumber, SMALL_RANK, SPARE, takeItems } from "#db/search/files-by-number.server.ts";
import { type Narrowing, planRanks, type RankPlan } from "#db/search/rank-plan.server.ts";
import type { Searched, SearchSource } from "#db/search/search-source.ts";
import { type Needle, RANKS, type ReadText, rankAll, rankByName, toReadText } from "#domain/search/rank.ts";

type RankedSearch = Narrowing & {
  needles: readonly Needle[];
  excluded: readonly Needle[];
  /** The number of results to find, best first. */
  limit: number;
};

export type Ranked<File> = { file: File; rank: number; text: ReadText | null };
/** Exact if everything that may match was read; otherwise the upper bound of the index, or the lower bound of the matches so far. */
export type Precision = "exact" | "at_most" | "at_least";
export type RankedAnswer<File> = { ranked: Ranked<File>[]; count: number; precision: Precision };

const FILES_MIN = 10;
/** If few of the files match, more are read each time, up to this number. */
const FILES_AT_ONCE_MAX = 80;
/** The limits of bytes and files that are read before a page is full. */
const READ_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 1_000;

export async function searchRanked<File extends Searched>(
  db: Db,
  source: SearchSource<File>,
  search: RankedSearch,
): Promise<RankedAnswer<File>> {
  // Unindexed files come first: a file that is indexed in between is then in both results, and in the other order in neither.
  const unindexed = await source.findUnindexed();
  const plan = await planRanks(db, source.indexOwner, search.needles, search);
  const reading = new RankedReader(source, search, plan);
  await reading.rank(unindexed, Number.POSITIVE_INFINITY, () => false);
  const emitted: Ranked<File>[] = [];
  const files = new FilesByNumber(source, plan, search.limit);
  const numbersAt = new Map(plan.ranks.map(({ rank, numbers }) => [rank, numbers]));
  // A file may turn out to have a rank that the index expected of no file.
  for (let rank = 0; rank <= search.needles.length * RANKS.line; rank += 1) {
    const missing = () =>
      reading.isOver ? 0 : Math.max(0, search.limit - emitted.length - reading.countUpTo(rank));
    const isEnough = () => missing() === 0;
    const rankSome = (batch: File[]) => reading.rank(batch, rank, isEnough);
    await rankFilesByNumber(files, numbersAt.get(rank) ?? [], rankSome, missing);
    await reading.rankPostponed(rank, isEnough);
    emitted.push(...reading.takeUpTo(rank));
    if (emitted.length >= search.limit || reading.isOver) break;
  }
  if (plan.isOpen) {
    const isEnough = () => emitted.length + reading.countUpTo(Number.POSITIVE_INFINITY) >= search.limit;
    for await (const files of source.listAll()) {
      if (isEnough() || reading.isOver) break;
      await reading.rank(files, Number.POSITIVE_INFINITY, isEnough);
    }
  }
  emitted.push(...reading.takeUpTo(Number.POSITIVE_INFINITY));
  const ranked = emitted.slice(0, search.limit);
  if (emitted.length < search.limit && !reading.isOver)
    return { ranked, count: emitted.length, precision: "exact" };
  if (plan.isOpen) return { ranked, count: emitted.length, precision: "at_least" };
  return { ranked, count: Math.max(emitted.length, plan.count), precision: "at_most" };
}

/** Reads a few files completely and sorts them afterwards. Of many files, reads the preferred ones first, and no more than are missing. */
async function rankFilesByNumber<File extends Searched>(
  files: FilesByNumber<File>,
  numbers: readonly number[],
  rank: (files: File[]) => Promise<void>,
  missing: () => number,
): Promise<void> {
  if (numbers.length === 0 || missing() === 0) return;
  if (numbers.length <= SMALL_RANK) return rank((await files.read(numbers)).sort(comparePreference));
  const inOrder = await files.orderByPreference(numbers);
  let size = Math.max(FILES_MIN, Math.ceil(missing() * SPARE));
  while (missing() > 0) {
    const batch = takeItems(inOrder, size);
    if (batch.length === 0) return;
    size = Math.min(2 * size, FILES_AT_ONCE_MAX);
    await rank((await files.read(batch)).sort(comparePreference));
  }
}

/** Ranks the files read so far until they are taken. */
class RankedReader<File extends Searched> {
  isOver = false;
  #seenKeys = new Set<string>();
  #waiting: Ranked<File>[] = [];
  /** Files whose texts are read at a later rank. */
  #postponed = new Map<number, File[]>();
  #files = 0;
  #bytes = 0;
  readonly #source: SearchSource<File>;
  readonly #search: RankedSearch;
  readonly #plan: RankPlan;

  constructor(source: SearchSource<File>, search: RankedSearch, plan: RankPlan) {
    this.#source = source;
    this.#search = search;
    this.#plan = plan;
  }

  /** Counts the files that are known to have this rank or a better one. */
  countUpTo(rank: number): number {
    return this.#waiting.filter((entry) => entry.rank <= rank).length;
  }

  takeUpTo(rank: number): Ranked<File>[] {
    const entries = this.#waiting.filter((entry) => entry.rank <= rank).sort(compareRanked);
    this.#waiting = this.#waiting.filter((entry) => entry.rank > rank);
    return entries;
  }

  /** Ranks files by name first. A file's text is read now if it may result in this rank, and otherwise later or never. */
  async rank(files: readonly File[], rank: number, isEnough: () => boolean): Promise<void> {
    const newFiles = files.filter(({ key }) => !this.#seenKeys.has(key));
    for (const { key } of newFiles) this.#seenKeys.add(key);
    const unclear: File[] = [];
    for (const file of newFiles) {
      const byName = this.#search.excluded.length === 0 ? rankAll(file, this.#search.needles, null) : null;
      if (byName !== null) this.#waiting.push({ file, rank: byName, text: null });
      else if (this.#expect(file) <= rank) unclear.push(file);
      else this.#postpone(this.#expect(file), file);
    }
    this.#files += newFiles.length;
    await this.#rankByTexts(unclear, isEnough);
    if (this.#files >= FILES_MAX) this.isOver = true;
  }

  async rankPostponed(rank: number, isEnough: () => boolean): Promise<void> {
    const files = this.#postponed.get(rank) ?? [];
    this.#postponed.delete(rank);
    await this.#rankByTexts(files.sort(comparePreference), isEnough);
  }

  /** Returns the best rank that a file may have, given its name; infinity if both its text and its name lack a term. */
  #expect(file: File): number {
    if (file.n === undefined) return 0;
    const byText = this.#plan.textRanks(file.n);
    return this.#search.needles.reduce((sum, needle, i) => {
      return sum + (rankByName(file, needle) ?? byText[i] ?? Number.POSITIVE_INFINITY);
    }, 0);
  }

  #postpone(rank: number, file: File): void {
    const files = this.#postponed.get(rank);
    if (files) files.push(file);
    else if (rank < Number.POSITIVE_INFINITY) this.#postponed.set(rank, [file]);
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
    const text = toReadText(body, file.language);
    const knownRanks = file.n === undefined ? undefined : this.#plan.textRanks(file.n);
    const rank = rankAll(file, needles, text, knownRanks);
    if (rank !== null && excluded.every((needle) => rankAll(file, [needle], text, [RANKS.line]) === null))
      this.#waiting.push({ file, rank, text });
    this.#bytes += file.bytes;
    if (this.#bytes >= READ_BYTES_MAX) this.isOver = true;
  }
}

/** Every edit takes a higher number; a file without a number was edited last. */
const getRecency = ({ n }: Searched) => n ?? Number.MAX_SAFE_INTEGER;

/** Pinned, starred and recently opened files come first, then those edited last. */
function comparePreference(a: Searched, b: Searched): number {
  const [x, y] = [a.preference ?? Number.MAX_SAFE_INTEGER, b.preference ?? Number.MAX_SAFE_INTEGER];
  return x - y || getRecency(b) - getRecency(a);
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
