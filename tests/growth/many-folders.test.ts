import { describe, expect, it } from "vitest";
import { toComposedName } from "#domain/files/name-forms.ts";
import { numberedName } from "#domain/files/trash.ts";
import { FOLDER_DEPTH_MAX, FOLDERS_MAX, type Folder } from "#domain/folders/folder-tree.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { OWNER_ID } from "#tests/authorisation/callers.ts";
import { openTestStore } from "#tests/support/store.ts";
import { provideToken } from "./feeds.ts";
import { type Ask, expectHoldsNobodyUp, openMeteredWeb } from "./metered-web.ts";

const store = await openTestStore();
const meteredWeb = openMeteredWeb(store.uri);

const NOW = new Date();
const IN_TRASH = { deleted_at: NOW, expires_at: new Date(NOW.getTime() + 30 * DAY_MS) };
const LIVING = { deleted_at: null, expires_at: null };
const toId = (n: number) => n.toString(16).padStart(24, "0");

type Given = (
  n: number,
) => Pick<Folder, "name" | "deleted_at" | "expires_at"> & { parent_id?: string | null };

/** All at the root, and room for a path that is added. */
async function givenFolders(given: Given, count = FOLDERS_MAX - FOLDER_DEPTH_MAX): Promise<void> {
  const entries = Array.from({ length: count }, (_, n) => {
    const { name, parent_id = null, ...dates } = given(n);
    const folder = {
      parent_id,
      name: toComposedName(name),
      created_at: NOW,
      updated_at: NOW,
      ...dates,
    };
    return [toId(n), folder];
  });
  const doc = { revision: 1, folders: Object.fromEntries(entries), expires_at: null };
  await store.db.folder_trees.replaceOne({ _id: OWNER_ID }, doc, { upsert: true });
}

const withLongNames =
  (unit: string): Given =>
  (n) => ({ name: `${unit.repeat(250 / unit.length)}${n}`, ...LIVING });
const withNumberedNames: Given = (n) =>
  n === 0 ? { name: "a", ...IN_TRASH } : { name: n === 1 ? "a" : numberedName("a", n), ...LIVING };
const inTrash: Given = (n) => ({ name: `a${n}`, ...IN_TRASH });

type Call = [path: string, init: Parameters<Ask>[1]];
const sendJson = (method: string, body: unknown) => ({
  method,
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});
const LISTS: Call[] = [
  ["/api/folders", {}],
  ["/files?folder=root", { html: true }],
  ["/files?folder_page=25", { html: true }],
  ["/upload", { html: true }],
  ["/api/folders", sendJson("POST", { name: "new" })],
  [`/api/files/${"a/".repeat(FOLDER_DEPTH_MAX)}a.py`, { method: "PUT", body: "a" }],
];
const TRASH: Call[] = [
  ["/trash", {}],
  ["/trash", { html: true }],
  ["/files/actions", { method: "POST", html: true, body: new URLSearchParams({ intent: "empty" }) }],
];

describe("as many folders as a person may have", () => {
  it.each<[string, Given, Call[]]>([
    ["with long names of letters that grow", withLongNames("İ"), LISTS],
    ["with long names of letters with many marks", withLongNames("ᾂ"), LISTS],
    ["with long names of marks alone", withLongNames("\u0323\u0301"), LISTS],
    ["with long names of numbers", withLongNames("1a"), LISTS],
    [
      "whose numbered names are taken",
      withNumberedNames,
      [[`/api/folders/${toId(0)}/restore`, sendJson("POST", {})]],
    ],
    ["in the trash", inTrash, TRASH],
  ])("%s hold up nobody else", { timeout: 180_000 }, async (_, given, calls) => {
    for (const [path, init] of calls) {
      const name = `${init?.method ?? "GET"} ${path}`;
      const ask = meteredWeb().people.owner;
      await expectHoldsNobodyUp(
        meteredWeb(),
        name,
        () => ask(path, init),
        () => givenFolders(given),
      );
    }
  });

  it("are copied by a WebDAV client in a time that grows with their number", {
    timeout: 180_000,
  }, async () => {
    const web = meteredWeb();
    const token = await provideToken(store.db);
    const headers = { Authorization: `Bearer ${token}`, Destination: "/dav/copy" };
    const measureCopy = async (count: number) => {
      const { status, usedMs } = await web.measure(async () => {
        const inFirst: Given = (n) => ({ name: `a${n}`, parent_id: n === 0 ? null : toId(0), ...LIVING });
        await givenFolders(inFirst, count);
        return web.people.anyone("/dav/a0", { method: "COPY", headers });
      });
      const doc = await store.db.folder_trees.findOne({ _id: OWNER_ID });
      expect([status, Object.keys(doc?.folders ?? {})]).toEqual([
        201,
        expect.objectContaining({ length: 2 * count }),
      ]);
      return usedMs;
    };
    await measureCopy(10);
    const [few, many] = [await measureCopy(500), await measureCopy(2_000)];
    expect(many).toBeLessThan(8 * Math.max(few, 50));
  });
});
