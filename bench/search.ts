/**
 * The ranked search over real sources (this project and its installed packages): 1,000 and 10,000 files, without `--quick` 100,000 too. Searches
 * right after an import and after the index was merged, in turns with LIKE over SQLite and with ripgrep; what a save costs in processor time;
 * and how far up known things are found.
 */
import type { Db } from "#db/client.ts";
import { saveFile } from "#db/files/files.server.ts";
import { createTextCache } from "#db/files/text-memory.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import type { SampleText } from "#db/local/sample/sample-texts.ts";
import { readSourceTexts } from "#db/local/sample/source-texts.ts";
import { createPreferredCache } from "#db/search/preferred-memory.ts";
import { search } from "#db/search/search.server.ts";
import { mergeSegments } from "#db/segments/segment-merge.server.ts";
import { itemAt, required } from "#domain/required.ts";
import { parseSearchQuery } from "#domain/search/search-query.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { withStore } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { ms, processorMs, type Timing, toTiming } from "./measure.ts";
import { option, quick } from "./options.ts";
import { type Baseline, openLike, openRipgrep } from "./search-baseline.ts";
import { measureRelevance } from "./search-relevance.ts";

const TURNS = quick ? 10 : 40;
const SAVES = 100;
const SAVE_MAX_MS = 12;
const LARGEST_TEXTS = 10_000;
const P95_MAX: Record<number, number> = { 10000: 50, 100000: 100 };
const RATIO_MAX: Record<number, number> = { 1000: 1, 10000: 0.5, 100000: 0.5 };
const NAME_RULES = ["full name", "prefix of 3", "prefix of 4", "initials", "word of the name"];

const SEARCHES: Record<string, string> = {
  "rare word": "isolatedvm",
  "common word": "function",
  "inside a word": "unct",
  "two words": "return promise",
  "a name being typed": "pars",
  "no hit": "quetzalcoatl",
};

export async function run(): Promise<Figure[]> {
  const sources = readSourceTexts(PROJECT_ROOT, LARGEST_TEXTS);
  const sizes = [1_000, 10_000, ...(quick ? [] : [100_000])].slice(0, option("sizes", 3));
  console.log(
    `${sources.length} sources of ${Math.round(sources.reduce((sum, { body }) => sum + body.length, 0) / sources.length)} characters`,
  );
  const figures: Figure[] = [];
  for (const size of sizes) figures.push(...(await measureSize(sources, size)));
  return figures;
}

/** A library larger than there are sources has each of them several times, under other names. */
function toText(sources: readonly SampleText[], number: number): SampleText {
  const text = itemAt(sources, number % sources.length);
  const copy = Math.floor(number / sources.length);
  return copy === 0
    ? text
    : { ...text, file_name: `${copy}-${text.file_name}`, body: `${text.body}\n${copy}\n` };
}

function measureSize(sources: readonly SampleText[], size: number): Promise<Figure[]> {
  return withStore(async ({ databases: { directory, enginePid }, db: store }) => {
    const texts = Array.from({ length: size }, (_, i) => toText(sources, i));
    const like = openLike(directory, texts);
    // As a web process has them.
    const db: Db = { ...store, ...{ texts: createTextCache(), preferred: createPreferredCache() } };
    try {
      const now = new Date();
      await fillLibrary(db, { ownerId: "7", from: 0, to: size, now, text: (i) => itemAt(texts, i) });
      const ripgrep = openRipgrep(directory, texts);
      const figures = await measureSearches(db, like, ripgrep, `${size} files, after an import`, size);
      const mergedAt = performance.now();
      const before = await db.search_segments.estimatedDocumentCount();
      await mergeSegments(db, "7", { now });
      const after = await db.search_segments.estimatedDocumentCount();
      console.log(`merged ${before} segments into ${after} in ${ms(performance.now() - mergedAt)} ms`);
      figures.push(...(await measureSearches(db, like, ripgrep, `${size} files, merged`, size)));
      figures.push(...(await measureSaves(db, like, enginePid, size)));
      if (size === 10_000) figures.push(...(await measureRanks(db, texts)));
      return figures;
    } finally {
      like.close();
    }
  });
}

async function ask(db: Db, q: string): Promise<number> {
  const query = orThrow(parseSearchQuery(q));
  return (await search(db, "7", query, { offset: 0, limit: 20, now: new Date() })).hits.length;
}

/** One after the other, in turns, so that a busy moment meets all of them. The first turn is cold and told apart. */
async function measureSearches(
  db: Db,
  like: Baseline,
  ripgrep: ((q: string) => void) | null,
  title: string,
  size: number,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  console.log(`\n| ${title}: p50 / p95, ms | ours | first | LIKE | ripgrep |\n|---|---|---|---|---|`);
  for (const [name, q] of Object.entries(SEARCHES)) {
    const [ours, theirs, rg]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; turn <= TURNS; turn += 1) {
      ours.push(await timeOne(() => ask(db, q)));
      theirs.push(await timeOne(() => like.search(q)));
      if (ripgrep && turn < 5) rg.push(await timeOne(() => ripgrep(q)));
    }
    const cold = required(ours.shift());
    const [a, b] = [toTiming(ours), toTiming(theirs)];
    const c = rg.length > 0 ? toTiming(rg) : null;
    console.log(`| ${name} | ${cell(a)} | ${ms(cold)} | ${cell(b)} | ${c ? cell(c) : ""} |`);
    figures.push({
      what: `${name}, ${title}, p50 beside LIKE`,
      ...{ ours: a.p50, baseline: b.p50, unit: "ms" },
      goal: { atMost: RATIO_MAX[size] ?? 1, of: "ratio" },
    });
    const limit = P95_MAX[size];
    if (limit)
      figures.push({ what: `${name}, ${title}, p95`, ours: a.p95, unit: "ms", goal: { atMost: limit } });
  }
  return figures;
}

const cell = ({ p50, p95 }: Timing) => `${ms(p50)} / ${ms(p95)}`;

async function timeOne(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Processor time of this process and of the engine together, with history and index. */
async function measureSaves(
  db: Db,
  like: Baseline,
  enginePid: number | null,
  size: number,
): Promise<Figure[]> {
  if (enginePid === null) return [];
  const pids = [process.pid, enginePid];
  const used = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const files = await db.files.find({ user_id: "7" }).limit(SAVES).toArray();
  const bodies = await db.file_bodies
    .find({ _id: { $in: files.map(({ _id }) => `${_id.toHexString()}:1`) } })
    .toArray();
  const saveAll = async (name: string) => {
    for (const [i, { body }] of bodies.entries()) {
      const file_name = `${name}-${i}.ts`;
      orThrow(await saveFile(db, "7", { file_name, body: `${body}\n// ${i}\n` }, new Date()));
    }
  };
  // Processes that have never saved before are slow by themselves.
  for (const name of ["first", "second", "third"]) await saveAll(name);
  const before = used();
  await saveAll("saved");
  const ours = (used() - before) / bodies.length;
  const text = { file_name: "a.ts", language: "typescript", description: "", tags: [], repo: null, body: "" };
  const likeBefore = processorMs(process.pid);
  for (const { body } of bodies) like.save({ ...text, body });
  const baseline = (processorMs(process.pid) - likeBefore) / bodies.length;
  return [
    {
      what: `a save, ${size} files, processor time in all processes`,
      ...{ ours, baseline, unit: "ms" },
      goal: { atMost: SAVE_MAX_MS },
    },
  ];
}

async function measureRanks(db: Db, texts: readonly SampleText[]): Promise<Figure[]> {
  const ranks = await measureRelevance(db, "7", texts, quick ? 60 : 1_000);
  return Object.entries(ranks).map(([rule, rank]) => ({
    what: `mean reciprocal rank: ${rule}`,
    ...{ ours: rank, unit: "" },
    goal: { atLeast: NAME_RULES.includes(rule) ? 0.9 : 0.8 },
  }));
}
