import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readUsage } from "#db/files/usage/library-usage.server.ts";
import { required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { MAKERS } from "#tests/authorisation/belongings.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { assembleCallers, OWNER_ID, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { API_ENTRIES, PAGE_ENTRIES } from "#tests/entries/entries.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { makeBreakable } from "./breakable.ts";

const web = await openTestWeb({ PREMIUM_USER_IDS: PREMIUM_ID });
const { owner, ask } = await assembleCallers(web);
// The first save or look counts the library.
await readUsage(web.db, OWNER_ID, web.clock());
// The search index is written after the answer.
web.db.indexQueue = { add: () => {}, has: () => false, close: async () => {} };
const store = makeBreakable(web.db);

/** The rows of the table in docs/scaling.md: a call and its cost. */
const costs = [
  ...readFileSync(join(PROJECT_ROOT, "docs", "scaling.md"), "utf8").matchAll(
    /^\| `([A-Z]+ \/\S*)` \| (\d+) \|/gm,
  ),
].map(([, call, count]) => [required(call), Number(count)] as const);

it("is documented for the most common actions", () => {
  expect(costs.length).toBeGreaterThan(10);
});

it.each(costs)("%s costs %i calls to the store", async (call, count) => {
  const api = API_ENTRIES.find((row) => row.call === call);
  const row = api ?? required(PAGE_ENTRIES.find((page) => page.call === call));
  const target = await MAKERS[row.needs ?? "nothing"](owner, web);
  const { calls } = await store.during(null, async () => {
    const response = await callRow(ask.owner, row, target, !api);
    await response.arrayBuffer();
  });
  expect(calls).toBe(count);
});
