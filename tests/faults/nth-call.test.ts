import { describe, expect, it } from "vitest";
import { bodyKey } from "#db/file-versions.server.ts";
import { type Belonging, MAKERS } from "#tests/authorisation/belongings.ts";
import { callRow } from "#tests/authorisation/call-row.ts";
import { assembleCallers, OWNER_ID, PREMIUM_ID } from "#tests/authorisation/callers.ts";
import { API_ROWS, type Row } from "#tests/authorisation/rows.ts";
import { openTestWeb } from "#tests/support/web.ts";
import { makeBreakable } from "./breakable.ts";

const web = await openTestWeb({
  PREMIUM_USER_IDS: PREMIUM_ID,
  RATE_LIMIT_WRITES_PER_MINUTE: "100000",
  RATE_LIMIT_REQUESTS_PER_MINUTE: "100000",
});
const { owner, ask } = await assembleCallers(web);
const store = makeBreakable(web.db);
const MINE = { user_id: OWNER_ID };
const { files, file_bodies, file_versions, notes, boards, reminders, shares, repos } = web.db;

const made = (needs: Belonging = "nothing") => MAKERS[needs](owner, web);
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

async function statusOf(row: Row, target: Record<string, string>): Promise<number> {
  try {
    const response = await callRow(ask[CALLER[row.door]], row, target, false);
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (error instanceof TypeError && STREAMED.includes(row.call)) return CUT_OFF;
    throw error;
  }
}

/** What could only be there if a write had been left half done. */
async function halves(): Promise<string[]> {
  const [kept, bodies, versions, written, due, places] = await Promise.all([
    files.find(MINE).toArray(),
    file_bodies.find(MINE).toArray(),
    file_versions.find(MINE).toArray(),
    notes.find(MINE).toArray(),
    reminders.find(MINE).toArray(),
    boards.find(MINE).toArray(),
  ]);
  const texts = new Set(bodies.map(({ _id }) => _id));
  // What is overdue cannot be had back, and is taken away in the background.
  const readable = kept.filter(({ expires_at }) => expires_at === null || expires_at > web.clock());
  const shelf = new Set(readable.map(({ _id }) => _id.toHexString()));
  const known = new Set([...kept, ...written, ...places].map(({ _id }) => _id.toHexString()));
  const living = kept.filter(({ deleted_at }) => deleted_at === null).map(({ file_name }) => file_name);
  return [
    ...readable
      .filter(({ _id, version, importing }) => !importing && !texts.has(bodyKey(_id, version)))
      .map(({ _id, version }) => `file ${_id} has no text for its version ${version}`),
    ...versions
      .filter(
        ({ file_id, version }) => shelf.has(file_id.toHexString()) && !texts.has(bodyKey(file_id, version)),
      )
      .map(({ file_id, version }) => `version ${version} of ${file_id} has no text`),
    ...living.filter((name, i) => living.indexOf(name) !== i).map((name) => `two files are called ${name}`),
    ...kept
      .filter(({ deleted_at, expires_at }) => (deleted_at === null) !== (expires_at === null))
      .map(({ _id }) => `file ${_id} is in the bin without a date, or has a date outside it`),
    ...due
      .filter(({ status, ack_at }) => (status === "acknowledged") !== (ack_at !== null))
      .map(({ _id, status }) => `reminder ${_id} is ${status} and acknowledged at another time`),
    ...due.filter(({ _id }) => !known.has(_id.toHexString())).map(({ _id }) => `reminder ${_id} has no note`),
  ];
}

async function clear(): Promise<void> {
  const all = [files, file_bodies, file_versions, notes, boards, reminders, shares, repos];
  for (const collection of all as { deleteMany(filter: object): unknown }[])
    await collection.deleteMany(MINE);
}

const WRITING = API_ROWS.filter(({ call }) => !call.startsWith("GET"));
const CALLS_MAX = 60;

describe("whichever call to the store fails", () => {
  it.each(WRITING.map((row) => [row.call, row] as const))(
    "%s says so, leaves nothing half done, and works the next time",
    async (_, row) => {
      const allowed = [row.ok ?? 200].flat();
      const cut = STREAMED.includes(row.call) ? [CUT_OFF] : [];
      const { value, calls } = await store.during(null, async () => statusOf(row, await made(row.needs)));
      expect(allowed).toContain(value);
      expect(calls).toBeLessThan(CALLS_MAX);
      for (let nth = 1; ; nth += 1) {
        await clear();
        const target = await made(row.needs);
        const struck = await store.during(nth, () => statusOf(row, target));
        expect([503, ...cut, ...allowed], `call ${nth}`).toContain(struck.value);
        expect(await halves(), `after call ${nth}`).toEqual([]);
        expect(allowed, `the request after call ${nth}`).toContain(
          await statusOf(row, await made(row.needs)),
        );
        if (struck.calls < nth) break;
      }
    },
  );
});
