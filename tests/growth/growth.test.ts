import { writeFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { LANGUAGE_NAMES } from "#domain/files/language.ts";
import { clearBelongings } from "#tests/authorisation/belongings.ts";
import { AGENT_ENTRY, API_ENTRIES, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import { openTestStore } from "#tests/support/store.ts";
import { drawCases, drawInEveryRun } from "#tests/support/test-runs/tier.ts";
import { davFeeds } from "./dav-feeds.ts";
import { type Feed, languageFeed, listFeeds, provideToken } from "./feeds.ts";
import { chooseTexts, type HostileText } from "./hostile-texts.ts";
import { findFault, judge } from "./judge.ts";
import { openMeteredWeb } from "./metered-web.ts";
import type { GrowthReading, GrowthReport } from "./report.ts";

/** All texts at every entry take hours and belong to the benchmarks; a test tries some texts at each entry. */
const TEXTS_EACH = Number(process.env.GROWTH_TEXTS ?? 1);
const ENTRY_TIMEOUT_MS = 60_000 * TEXTS_EACH;
const draw = <T>(name: string, cases: readonly T[], count: number) =>
  drawCases(`growth: ${name}`, cases, count);

/** Every run measures these: they do the most work with a text. */
const HEAVIEST: readonly string[] = [
  ...["PUT /api/files/*path", "POST /edit/:id", "GET /search", "GET /md/:id", "GET /file/:id"],
  ...["GET /file/:id/compare", "POST /api/sticky-notes/:file_id", "GET /notes", "POST /mcp"],
];
const ENTRIES = [AGENT_ENTRY, ...API_ENTRIES, ...PAGE_ENTRIES].map((entry, n) => ({ entry, n }));
const OTHERS = ENTRIES.filter(({ entry }) => !HEAVIEST.includes(entry.call));
const drawn = new Set([
  ...ENTRIES.filter(({ entry }) => HEAVIEST.includes(entry.call)),
  ...draw("entries", OTHERS, OTHERS.length / 10),
]);
const TAKEN = ENTRIES.filter((feed) => drawn.has(feed));

const store = await openTestStore();
const meteredWeb = openMeteredWeb(store.uri);

const readings: GrowthReading[] = [];
afterAll(async () => {
  const report: GrowthReport = { readings };
  if (process.env.GROWTH_REPORT) await writeFile(process.env.GROWTH_REPORT, JSON.stringify(report));
});

/** Every try has a new text, because an earlier one may be cached. */
let tries = 0;

async function feed(call: string, entry: Feed, text: HostileText): Promise<string[]> {
  const measureAt = async (bytes: number) => {
    tries += 1;
    const mark = String(tries);
    const own = { ...text, make: (length: number) => text.make(length - mark.length) + mark };
    const { status, ...cost } = await meteredWeb().measure(await entry.prepare(own, bytes));
    if (status === 500) throw new Error(`${call} answered ${status} to ${entry.name}, ${text.name}`);
    if (entry.isShown && [401, 403, 404].includes(status))
      throw new Error(`${call} answered ${status} and showed nothing of ${entry.name}, ${text.name}`);
    return cost;
  };
  const { fault, usedMs, longestMs, answerBytes } = await judge(measureAt, entry.bytes);
  readings.push({ call, feed: entry.name, text: text.name, usedMs, longestMs, answerBytes, fault });
  return fault === null ? [] : [`${entry.name}, ${text.name}: ${fault}`];
}

async function feedAll(call: string, entries: readonly Feed[], seed: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [place, entry] of entries.entries()) {
    for (const text of chooseTexts(seed * 31 + place, TEXTS_EACH)) {
      faults.push(...(await feed(call, entry, text)));
      // Leftovers of earlier tries must not reach a limit.
      await clearBelongings(store);
    }
  }
  return faults;
}

describe("the cost of an entry", () => {
  // Before the rows, the last of which log everybody out.
  it("grows with files in coloured languages, and holds up nobody else", {
    timeout: LANGUAGE_NAMES.length * ENTRY_TIMEOUT_MS,
  }, async () => {
    const stage = { web: meteredWeb(), db: store.db };
    // One thread job colours all languages, and the page only gets its lines.
    const some = drawInEveryRun("growth: some languages", LANGUAGE_NAMES, 10);
    const languages = draw("languages", some, 2).map((language) => languageFeed(stage, language));
    expect(await feedAll("GET /file/:id", languages, 0)).toEqual([]);
  });

  it("grows with a WebDAV client's input, and holds up nobody else", {
    timeout: 12 * ENTRY_TIMEOUT_MS,
  }, async () => {
    const stage = { web: meteredWeb(), db: store.db };
    const [save, ...others] = davFeeds(stage, await provideToken(store.db));
    const feeds = [save as Feed, ...draw("WebDAV", others, 2)];
    expect(await feedAll("/dav", feeds, 1)).toEqual([]);
  });

  it.each(TAKEN.map((feed) => [feed.entry.call, feed] as const))(
    "grows with the input of %s, and holds up nobody else",
    { timeout: ENTRY_TIMEOUT_MS },
    async (_, { entry, n }) => {
      const stage = { web: meteredWeb(), db: store.db };
      const feeds = listFeeds(entry, stage, n, HEAVIEST.includes(entry.call));
      expect(await feedAll(entry.call, feeds, n)).toEqual([]);
    },
  );
});

describe("growth", () => {
  const cost = (usedMs: number, longestMs = 0) => ({ usedMs, longestMs, answerBytes: 0 });
  const answer = (answerBytes: number) => ({ usedMs: 1, longestMs: 0, answerBytes });

  it.each([
    ["a square", [cost(10), cost(40), cost(160)], "grows as n^2.0"],
    ["a line", [cost(10), cost(20), cost(40)], null],
    ["a square that is too small to tell", [cost(1), cost(4), cost(16)], null],
    ["a stumble at its last step", [cost(30), cost(35), cost(100)], null],
    ["a line that holds others up", [cost(50), cost(100), cost(200, 300)], "held the process for 300 ms"],
    ["answers in a square", [answer(60_000), answer(240_000), answer(960_000)], "answers with n^2.0 bytes"],
    ["answers in a line", [answer(250_000), answer(500_000), answer(1_000_000)], null],
    ["one long answer", [answer(1_500_000), answer(1_500_000), answer(1_500_000)], "answered 1500000 bytes"],
  ] as const)("of %s is reported", (_, costs, fault) => {
    const shownFault = findFault([...costs], 1_000);
    if (fault === null) expect(shownFault).toBeNull();
    else expect(shownFault).toContain(fault);
  });
});
