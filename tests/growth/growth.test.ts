import { writeFile } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { LANGUAGE_NAMES } from "#domain/files/language.ts";
import { OWNER_ID } from "#tests/authorisation/callers.ts";
import { API_ROWS, PAGE_ROWS } from "#tests/authorisation/rows.ts";
import { openTestStore } from "#tests/support/store.ts";
import { davFeeds } from "./dav-feeds.ts";
import { type Feed, feedsOf, languageFeed, provideToken } from "./feeds.ts";
import { chooseTexts, type HostileText } from "./hostile-texts.ts";
import { findFault, judge } from "./judge.ts";
import { openMeteredWeb } from "./metered-web.ts";
import type { GrowthReading, GrowthReport } from "./report.ts";
import { GROWTH_ROWS } from "./rows.ts";

/** All texts at every entry take hours and are for the bench; a test takes some at each, others at each. */
const TEXTS_EACH = Number(process.env.GROWTH_TEXTS ?? 1);
const ENTRY_TIMEOUT_MS = 60_000 * TEXTS_EACH;
/** All languages are coloured by one job on a thread; where a test takes one text each, it takes one language in four. */
const LANGUAGES = TEXTS_EACH > 1 ? LANGUAGE_NAMES : LANGUAGE_NAMES.filter((_, i) => i % 4 === 0);

const store = await openTestStore();
const meteredWeb = openMeteredWeb(store.uri);

const readings: GrowthReading[] = [];
afterAll(async () => {
  const report: GrowthReport = { readings };
  if (process.env.GROWTH_REPORT) await writeFile(process.env.GROWTH_REPORT, JSON.stringify(report));
});

/** Every try has a text of its own: one that came before may be remembered. */
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
  const { fault, usedMs, longestMs } = await judge(measureAt, entry.bytes);
  readings.push({ call, feed: entry.name, text: text.name, usedMs, longestMs, fault });
  return fault === null ? [] : [`${entry.name}, ${text.name}: ${fault}`];
}

const { files, file_bodies, notes, boards, reminders, shares, repos } = store.db;
type Kept = { deleteMany(filter: object): Promise<unknown> };
const KEPT: readonly Kept[] = [files, file_bodies, notes, boards, reminders, shares, repos];
/** No limit on how much there may be is met by what came before. */
const forgetAll = () => Promise.all(KEPT.map((collection) => collection.deleteMany({ user_id: OWNER_ID })));

/** The faults of some entries, each fed with some texts. */
async function feedAll(call: string, entries: Feed[], seed: number): Promise<string[]> {
  const faults: string[] = [];
  for (const [place, entry] of entries.entries()) {
    for (const text of chooseTexts(seed * 31 + place, TEXTS_EACH)) {
      faults.push(...(await feed(call, entry, text)));
      await forgetAll();
    }
  }
  return faults;
}

describe("what an entry costs", () => {
  it("is asked of every address that the authorisation matrix knows, and of the door of agents", () => {
    const known = [...API_ROWS, ...PAGE_ROWS].map(({ call }) => call);
    expect(GROWTH_ROWS.map(({ call }) => call).sort()).toEqual([...known, "POST /mcp"].sort());
  });

  it("is asked with texts, unless a row says why not", () => {
    const silent = GROWTH_ROWS.filter(({ takes, shows, without }) => (takes || shows ? without : !without));
    expect(silent).toEqual([]);
  });

  // Before the rows, the last of which log everybody out.
  it("grows with files in languages that are coloured, and holds up nobody else", {
    timeout: LANGUAGES.length * ENTRY_TIMEOUT_MS,
  }, async () => {
    const entries = LANGUAGES.map((language) => languageFeed({ web: meteredWeb(), db: store.db }, language));
    expect(await feedAll("GET /file/:id", entries, 0)).toEqual([]);
  });

  it("grows with what a WebDAV client sends, and holds up nobody else", {
    timeout: 12 * ENTRY_TIMEOUT_MS,
  }, async () => {
    const stage = { web: meteredWeb(), db: store.db };
    expect(await feedAll("/dav", davFeeds(stage, await provideToken(store.db)), 1)).toEqual([]);
  });

  it.each(GROWTH_ROWS.map((row, n) => [row.call, row, n] as const))(
    "grows with what %s is fed, and holds up nobody else",
    { timeout: ENTRY_TIMEOUT_MS },
    async (_, row, n) => {
      const entries = feedsOf(row, { web: meteredWeb(), db: store.db }, n);
      expect(await feedAll(row.call, entries, n)).toEqual([]);
    },
  );
});

describe("growth", () => {
  const cost = (usedMs: number, longestMs = 0) => ({ usedMs, longestMs });

  it.each([
    ["a square", [cost(10), cost(40), cost(160)], "grows as n^2.0"],
    ["a line", [cost(10), cost(20), cost(40)], null],
    ["a square that is too small to tell", [cost(1), cost(4), cost(16)], null],
    ["a stumble at its last step", [cost(30), cost(35), cost(100)], null],
    ["a line that holds others up", [cost(50), cost(100), cost(200, 300)], "held the process for 300 ms"],
  ] as const)("of %s is told", (_, costs, fault) => {
    const found = findFault([...costs]);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toContain(fault);
  });
});
