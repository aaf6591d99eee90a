import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Sessions } from "../sessions.ts";
import { Store } from "../storage/store.ts";
import { Binary, type Doc, doc, Int32 } from "../values/values.ts";
import { needsEngine } from "./server.ts";

needsEngine("it tests functions of the engine");

const MINUTE_MS = 60_000;
const DONE = doc({ n: new Int32(1) });
const newSession = (): Doc => doc({ id: new Binary(4, randomBytes(16)) });

async function givenSessions(): Promise<{ store: Store; sessions: Sessions; reopen(): Sessions }> {
  const directory = mkdtempSync(join(tmpdir(), "codeshelf-sessions-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  let store = new Store({ directory, sync: "normal" });
  return {
    store,
    sessions: new Sessions(store),
    reopen() {
      store.close();
      store = new Store({ directory, sync: "normal" });
      return new Sessions(store);
    },
  };
}

/** Does the statement where it is not remembered; answers whether it was. */
const wasDone = (sessions: Sessions, lsid: Doc, txnNumber: bigint): Promise<boolean> =>
  sessions.runWrite(lsid, txnNumber, "insert", async (write) => {
    if (write.recall(0)) return true;
    write.remember(0, DONE);
    return false;
  });

test("a write is remembered after a restart, and older ones are still refused", async () => {
  const { sessions, reopen } = await givenSessions();
  const lsid = newSession();
  expect(await wasDone(sessions, lsid, 2n ** 62n)).toBe(false);

  const again = reopen();

  expect(await wasDone(again, lsid, 2n ** 62n)).toBe(true);
  await expect(wasDone(again, lsid, 1n)).rejects.toMatchObject({ code: 225 });
});

test("what is remembered is rolled back with the turn that it belongs to", async () => {
  const { sessions, store } = await givenSessions();
  const lsid = newSession();
  await wasDone(sessions, lsid, 1n);

  expect(() =>
    store.write(() => {
      throw new Error("the disk is gone");
    }),
  ).toThrow("the disk is gone");

  expect(await wasDone(sessions, lsid, 1n)).toBe(false);
  expect(await wasDone(sessions, lsid, 1n)).toBe(true);
});

test.each([
  ["that is idle for 30 minutes", (sessions: Sessions) => sessions.sweep(Date.now() + 31 * MINUTE_MS)],
  [
    "that is ended",
    (sessions: Sessions, lsid: Doc) => {
      sessions.end(lsid);
      sessions.sweep(Date.now());
    },
  ],
])("of a session %s nothing is remembered", async (_what, forget) => {
  const { sessions, reopen } = await givenSessions();
  const lsid = newSession();
  await wasDone(sessions, lsid, 1n);
  expect(await wasDone(sessions, lsid, 1n)).toBe(true);

  forget(sessions, lsid);

  expect(await wasDone(reopen(), lsid, 1n)).toBe(false);
});

test("of more than 10,000 sessions those used longest ago are forgotten", async () => {
  const { sessions, store } = await givenSessions();
  const [oldest, second] = [newSession(), newSession()];
  await wasDone(sessions, oldest, 1n);
  await wasDone(sessions, second, 1n);

  for (let i = 0; i < 9_999; i++) sessions.use(newSession(), Date.now());
  sessions.sweep(Date.now());
  await store.waitForCommit();

  expect(await wasDone(sessions, second, 1n)).toBe(true);
  expect(await wasDone(sessions, oldest, 1n)).toBe(false);
});
