import { afterAll, describe, expect, it } from "vitest";
import { connectMongo } from "#db/client.ts";
import type { Names } from "#tests/authorisation/belongings.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { assembleCallers, ENTITLED, OWNER_ID, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { startPlainWorker } from "#tests/support/workers/plain-worker.ts";
import { makeBreakable } from "./breakable.ts";
import { ELSEWHERE, makePostgresBreakable } from "./breakable-postgres.ts";
import {
  CONFIGURED,
  closeGranted,
  GRANTED_API,
  GRANTED_PAGES,
  type GrantedRow,
  READ_API,
  READ_PAGES,
} from "./granted.ts";
import { halfDone, waitingRuns } from "./half-done.ts";

const web = await openTestWeb({ ...CONFIGURED, PREMIUM_USER_IDS: PREMIUM_ID });
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

/** An interrupted answer is cut off, so that nobody takes a part for the whole. */
const CUT_OFF = 0;
const PAGES = [...GRANTED_PAGES, ...READ_PAGES];
const STREAMED = [
  "POST /api/files/create-zip",
  "GET /shared/:token/zip",
  "GET /settings/export/zip",
  "GET /api/observability/export",
];

async function readStatus(row: GrantedRow, names: Record<string, string>): Promise<number> {
  try {
    const response = await callRow(ask[ENTITLED[row.door]], row, names, PAGES.includes(row));
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (error instanceof TypeError && STREAMED.includes(row.call)) return CUT_OFF;
    throw error;
  }
}

const OWNED = [
  ...["files", "file_bodies", "file_versions", "notes", "boards", "reminders", "shares", "repos", "tokens"],
  "push_subscriptions",
] as const;

async function clear(): Promise<void> {
  const all = OWNED.map((name) => (web.db[name] as typeof web.db.files).deleteMany({ user_id: OWNER_ID }));
  await Promise.all([...all, web.db.events.deleteMany({})]);
}

/** Calls that handle many documents are alike: beyond the first ones, some are struck. */
const EACH_UP_TO = 10;
const THEN_ONE_IN = 16;
type Store = keyof typeof STORES;

/**
 * A full run strikes every different call; another run strikes the last one, after which nothing is repaired, and one that the commit
 * draws.
 */
function chooseCalls(row: GrantedRow, calls: Record<Store, number>): [store: Store, nth: number][] {
  return (Object.keys(calls) as Store[]).flatMap((store) => {
    const all = Array.from({ length: calls[store] }, (_, i) => i + 1);
    if (isFullRun)
      return all
        .filter((nth) => nth <= EACH_UP_TO || nth % THEN_ONE_IN === 0)
        .map((nth) => [store, nth] as const);
    const drawn = drawCases(`calls of ${row.call} to ${store}`, all.slice(0, -1), 1);
    return [...drawn, ...all.slice(-1)].map((nth) => [store, nth] as const);
  }) as [Store, number][];
}
const struck = { documents: 0, postgres: 0 };

/** Counts the calls of an undisturbed request. */
async function count(row: GrantedRow, names: Names): Promise<Record<Store, number>> {
  const { documents, postgres } = STORES;
  const { value: inner, calls } = await documents.during(null, () =>
    postgres.during(null, () => readStatus(row, names)),
  );
  expect([row.ok ?? 200].flat()).toContain(inner.value);
  expect(inner.value, "is granted").toBeLessThan(400);
  return { documents: calls, postgres: inner.calls };
}

async function strike(row: GrantedRow, store: Store, nth: number, names: Names): Promise<void> {
  const allowed = [row.ok ?? 200].flat();
  const cut = STREAMED.includes(row.call) ? [CUT_OFF] : [];
  const { value } = await STORES[store].during(nth, () => readStatus(row, names));
  expect([503, ...cut, ...allowed], `call ${nth}`).toContain(value);
  struck[store] += 1;
}

/** Makes everything again each time, because the previous try may have changed it. */
async function strikeWrite(row: GrantedRow, store: Store, nth: number): Promise<void> {
  await clear();
  const names = await row.make(owner, web);
  const waiting = await waitingRuns(web.db);
  await strike(row, store, nth, names);
  expect(await halfDone(web, waiting), `after call ${nth}`).toEqual([]);
}

/** The commit draws one address in eight: one handler answers every fault, over verbs that `verb-faults.test.ts` strikes. */
const drawSome = (kind: string, rows: readonly GrantedRow[]) =>
  drawCases(`addresses ${kind}`, rows, rows.length / 8).map((row) => [row.call, row] as const);

describe("if any call to the document store or to PostgreSQL fails,", () => {
  it.each(drawSome("that write", [...GRANTED_API, ...GRANTED_PAGES]))(
    "%s reports it, leaves nothing half done, and works the next time",
    async (_, row) => {
      const calls = await count(row, await row.make(owner, web));
      for (const [store, nth] of chooseCalls(row, calls)) await strikeWrite(row, store, nth);
      await clear();
      await count(row, await row.make(owner, web));
    },
  );

  it.each(drawSome("that read", [...READ_API, ...READ_PAGES]))(
    "%s reports it, and works the next time",
    async (_, row) => {
      await clear();
      const names = await row.make(owner, web);
      const calls = await count(row, names);
      for (const [store, nth] of chooseCalls(row, calls)) await strike(row, store, nth, names);
      await count(row, names);
    },
  );

  it("happened often enough to tell", () => {
    expect(struck.documents).toBeGreaterThan(isFullRun ? 400 : 35);
    expect(struck.postgres).toBeGreaterThan(isFullRun ? 10 : 0);
  });
});
