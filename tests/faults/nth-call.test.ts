import { afterAll, describe, expect, it } from "vitest";
import { connectMongo } from "#db/client.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { assembleCallers, OWNER_ID, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { startPlainWorker } from "#tests/support/plain-worker.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { makeBreakable } from "./breakable.ts";
import { ELSEWHERE, makePostgresBreakable } from "./breakable-postgres.ts";
import { CONFIGURED, closeGranted, GRANTED_API, GRANTED_PAGES, type GrantedRow } from "./granted.ts";
import { halfDone, waitingRuns } from "./half-done.ts";

const web = await openTestWeb({
  ...CONFIGURED,
  PREMIUM_USER_IDS: PREMIUM_ID,
  RATE_LIMIT_WRITES_PER_MINUTE: "100000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "100000",
});
const { owner, ask } = await assembleCallers(web);
const apart = await connectMongo(web.uri, { appName: "codeshelf-elsewhere" });
await startPlainWorker(
  { ...web, db: { ...apart.collections, emit: () => {} } },
  `${web.databaseUrl}?${ELSEWHERE}`,
);
const STORES = {
  documents: makeBreakable(web.db, { halfway: true }),
  postgres: makePostgresBreakable(),
};
afterAll(async () => {
  await closeGranted();
  await apart.close();
});

const CALLER = {
  anyone: "owner",
  person: "owner",
  owner: "owner",
  premium: "premium",
  admin: "admin",
} as const;

/** An answer that had begun is cut off, so that nobody takes a part for the whole. */
const CUT_OFF = 0;
const STREAMED = ["POST /api/files/create-zip"];

async function statusOf(row: GrantedRow, names: Record<string, string>): Promise<number> {
  try {
    const response = await callRow(ask[CALLER[row.door]], row, names, GRANTED_PAGES.includes(row));
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (error instanceof TypeError && STREAMED.includes(row.call)) return CUT_OFF;
    throw error;
  }
}

const OWNED = [
  "files",
  "file_bodies",
  "file_versions",
  "notes",
  "boards",
  "reminders",
  "shares",
  "repos",
  "tokens",
  "push_subscriptions",
] as const;

async function clear(): Promise<void> {
  const all = OWNED.map((name) => (web.db[name] as typeof web.db.files).deleteMany({ user_id: OWNER_ID }));
  await Promise.all(all);
}

const CALLS_MAX = 80;
const struck = { documents: 0, postgres: 0 };

/** Once without a fault; answers how many calls it takes. */
async function count(row: GrantedRow): Promise<Record<keyof typeof STORES, number>> {
  const names = await row.make(owner, web);
  const { documents, postgres } = STORES;
  const { value: inner, calls } = await documents.during(null, () =>
    postgres.during(null, () => statusOf(row, names)),
  );
  expect([row.ok ?? 200].flat()).toContain(inner.value);
  expect(inner.value, "is granted").toBeLessThan(400);
  expect(calls).toBeLessThan(CALLS_MAX);
  return { documents: calls, postgres: inner.calls };
}

async function strike(row: GrantedRow, store: keyof typeof STORES, nth: number): Promise<void> {
  const allowed = [row.ok ?? 200].flat();
  const cut = STREAMED.includes(row.call) ? [CUT_OFF] : [];
  await clear();
  const target = await row.make(owner, web);
  const known = await waitingRuns(web.db);
  const { value } = await STORES[store].during(nth, () => statusOf(row, target));
  expect([503, ...cut, ...allowed], `call ${nth}`).toContain(value);
  expect(await halfDone(web, known), `after call ${nth}`).toEqual([]);
  struck[store] += 1;
}

/** A page is a form around verbs that the API has too: every third call, beginning with another one each time. */
const stepOf = (row: GrantedRow) => (GRANTED_PAGES.includes(row) ? 3 : 1);

describe("whichever call to the document store or to PostgreSQL fails", () => {
  it.each([...GRANTED_API, ...GRANTED_PAGES].map((row, i) => [row.call, row, i] as const))(
    "%s says so, leaves nothing half done, and works the next time",
    async (_, row, i) => {
      const calls = await count(row);
      for (const store of Object.keys(calls) as (keyof typeof STORES)[])
        for (let nth = 1 + (i % stepOf(row)); nth <= calls[store]; nth += stepOf(row))
          await strike(row, store, nth);
      await clear();
      await count(row);
    },
  );

  it("happened often enough to tell", () => {
    expect(struck.documents).toBeGreaterThan(400);
    expect(struck.postgres).toBeGreaterThan(10);
  });
});
