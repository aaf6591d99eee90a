/**
 * One person's library at 1,000, 10,000 and 100,000 files of 3 KB (`--quick` leaves out
 * the last): lists, searches, the file page, the dashboard and a save, by the store's verbs and as pages of the real web
 * process; how each grows with the library, and the plan of each query. Fails where a collection is scanned.
 */

import { cpus, loadavg } from "node:os";
import type { Db } from "#db/client.ts";
import { findFile, readBody } from "#db/files/file-records.server.ts";
import { saveFile } from "#db/files/files.server.ts";
import { countFilesByValue, listFacets } from "#db/files/listing/file-facets.server.ts";
import { listFiles } from "#db/files/listing/file-lists.server.ts";
import { tallyLibrary } from "#db/files/usage/library-tally.server.ts";
import { fillLibrary } from "#db/local/sample/library.ts";
import { searchFiles } from "#db/search/file-search.server.ts";
import { mergeSegments } from "#db/segments/segment-merge.server.ts";
import type { FileNarrowing } from "#domain/files/file-query.ts";
import { itemAt, required } from "#domain/required.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { withStore } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { explain } from "./library-plans.ts";
import { ms, type Timing, time } from "./measure.ts";
import { quick } from "./options.ts";
import { logIn, startWeb } from "./product.ts";

const OWNER = "7";
const NOW = new Date();
const CALLS = quick ? 15 : 40;
const MAX_GROWTH = 1.5;
const MAX_SEARCH_MS = 50;
const page = { sort: "created_at_desc", limit: 20 } as const;

const LISTS: Record<string, FileNarrowing> = {
  list: {},
  "list: language": { lang: "python" },
  "list: favourites and language": { lang: "go", category: "favorites" },
  "list: tag": { category: "work" },
  "list: recent": { category: "recent" },
};
const SEARCHES: Record<string, string> = {
  "search: rare word": "xylophone",
  "search: common word": "created",
  "search: Hebrew": "תזכורת למשתמש",
  "search: no hit": "quetzalcoatl",
};
/** What may not cost more in a large library than in a small one. */
const STEADY = [...Object.keys(LISTS), "file page"];

type Figures = Record<string, Timing>;

async function someFiles(db: Db): Promise<string[]> {
  const files = await db.files.find({ user_id: OWNER, deleted_at: null }).limit(CALLS).toArray();
  return files.map(({ _id }) => _id.toHexString());
}

async function measureStore(db: Db): Promise<Figures> {
  const found: Figures = {};
  for (const [name, narrowing] of Object.entries(LISTS))
    found[name] = await time(CALLS, async () =>
      orThrow(await listFiles(db, OWNER, { ...narrowing, ...page })),
    );
  for (const [name, q] of Object.entries(SEARCHES))
    found[name] = await time(CALLS, async () => orThrow(await searchFiles(db, OWNER, { q, ...page })));
  const some = await someFiles(db);
  found["file page"] = await time(CALLS, async (call) => {
    const file = await findFile(db, OWNER, itemAt(some, call % some.length));
    await readBody(db, OWNER, required(file));
  });
  found["counts by language"] = await time(CALLS, () => countFilesByValue(db, OWNER, "language"));
  found["languages, tags and repositories"] = await time(CALLS, () => listFacets(db, OWNER));
  found["sizes and days"] = await time(CALLS, () => tallyLibrary(db, OWNER));
  const body = await readBody(db, OWNER, required(await findFile(db, OWNER, itemAt(some, 0))));
  found.save = await time(CALLS, async (call) =>
    orThrow(await saveFile(db, OWNER, { file_name: `saved-${call}.py`, body: `${body}${call}` }, new Date())),
  );
  return found;
}

/** Every address is asked for once: a page that was made within the minute is remembered. */
async function measurePages(db: Db, url: string, cookie: string): Promise<Figures> {
  let asked = 0;
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { Cookie: cookie, Accept: "text/html", "Accept-Encoding": "identity", ...init.headers };
    const answer = await fetch(`${url}${path}`, { ...init, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
    return text;
  };
  const fresh = (path: string, query: Record<string, string> = {}) =>
    ask(`${path}?${new URLSearchParams({ ...query, fresh: String(asked++) })}`);
  const found: Figures = {};
  for (const [name, narrowing] of Object.entries(LISTS))
    found[name] = await time(CALLS, () => fresh("/files", narrowing as Record<string, string>));
  for (const [name, q] of Object.entries(SEARCHES))
    found[name] = await time(CALLS, () => fresh("/files", { q }));
  const some = await someFiles(db);
  found["file page"] = await time(CALLS, (call) => fresh(`/file/${some[call % some.length]}`));
  found.dashboard = await time(CALLS, () => fresh("/dashboard"));
  found["/api/stats"] = await time(CALLS, () => fresh("/api/stats"));
  const body = await readBody(db, OWNER, required(await findFile(db, OWNER, itemAt(some, 0))));
  found.save = await time(CALLS, (call) =>
    ask(`/api/files/saved-by-web-${call}.py`, { method: "PUT", body: `${body}${call}` }),
  );
  found["list after a save"] = await time(CALLS, async (call) => {
    await ask(`/api/files/saved-by-web-${call}.py`, { method: "PUT", body: `${body}again${call}` });
    await fresh("/files");
  });
  return found;
}

const measureGrowth = (figures: Figures[], name: string) =>
  required(figures.at(-1)?.[name]).p50 / required(figures[0]?.[name]).p50;

function print(title: string, sizes: number[], figures: Figures[]): void {
  const heads = sizes.map((size) => size.toLocaleString("en"));
  console.log(`\n| ${title}: p50 / p95, ms | ${heads.join(" | ")} | growth of p50 |`);
  console.log(`|---|${"---|".repeat(sizes.length + 1)}`);
  for (const name of Object.keys(itemAt(figures, 0))) {
    const cells = figures.map((at) => `${ms(required(at[name]).p50)} / ${ms(required(at[name]).p95)}`);
    console.log(`| ${name} | ${cells.join(" | ")} | ${measureGrowth(figures, name).toFixed(2)} |`);
  }
  const grown = STEADY.filter((name) => measureGrowth(figures, name) > MAX_GROWTH);
  console.log(
    `\nGrew more than ${MAX_GROWTH} times: ${grown.length > 0 ? grown.join(", ") : "no list and no file page"}.`,
  );
  const worst = Math.max(
    ...Object.keys(SEARCHES).map((name) => required(itemAt(figures, sizes.indexOf(10_000))[name]).p95),
  );
  console.log(`Slowest search p95 at 10,000 files: ${ms(worst)} ms (at most ${MAX_SEARCH_MS}).`);
}

/** The largest library beside the smallest, and the searches of the middle one beside their goal. */
function toFigures(side: string, sizes: number[], figures: Figures[]): Figure[] {
  const grown = Object.keys(itemAt(figures, 0)).map((name): Figure => {
    const goal = STEADY.includes(name) ? ({ atMost: MAX_GROWTH, of: "ratio" } as const) : undefined;
    const what = `${side}: ${name}, ${sizes.at(-1)} files beside ${sizes[0]}, p50`;
    return {
      what,
      ours: required(required(figures.at(-1))[name]).p50,
      baseline: required(itemAt(figures, 0)[name]).p50,
      unit: "ms",
      goal,
    };
  });
  const searched = Object.keys(SEARCHES).map((name): Figure => {
    const what = `${side}: ${name}, 10000 files, p95`;
    return {
      what,
      ours: required(itemAt(figures, sizes.indexOf(10_000))[name]).p95,
      unit: "ms",
      goal: { atMost: MAX_SEARCH_MS },
    };
  });
  return [...grown, ...searched];
}

/** Fills the library and leaves its index as the worker's job does. */
async function grow(db: Db, from: number, to: number): Promise<void> {
  const startedAt = performance.now();
  await fillLibrary(db, { ownerId: OWNER, from, to, now: NOW });
  const perSecond = (to - from) / ((performance.now() - startedAt) / 1000);
  const before = await db.search_segments.estimatedDocumentCount();
  const mergingAt = performance.now();
  await mergeSegments(db, OWNER, { now: NOW });
  const seconds = (performance.now() - mergingAt) / 1000;
  const after = await db.search_segments.estimatedDocumentCount();
  console.log(
    `${to} files; filled at ${Math.round(perSecond)} files/s; index merged in ${seconds.toFixed(1)} s, from ${before} to ${after} segments; load ${itemAt(loadavg(), 0).toFixed(1)} on ${cpus().length} cores`,
  );
}

export function run(): Promise<Figure[]> {
  const sizes = [1_000, 10_000, ...(quick ? [] : [100_000])];
  return withStore(async ({ databases, mongo, db }) => {
    const web = await startWeb(databases);
    const [verbs, pages]: [Figures[], Figures[]] = [[], []];
    try {
      const cookie = await logIn(web.url, OWNER);
      for (const [i, size] of sizes.entries()) {
        await grow(db, sizes[i - 1] ?? 0, size);
        verbs.push(await measureStore(db));
        pages.push(await measurePages(db, web.url, cookie));
      }
    } finally {
      await web.stop();
    }
    print("store", sizes, verbs);
    print("pages", sizes, pages);
    await explain(mongo, OWNER, LISTS);
    return [...toFigures("store", sizes, verbs), ...toFigures("pages", sizes, pages)];
  });
}
