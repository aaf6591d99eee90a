/** Libraries at their limits, each in a shape that is slow to read. */

import { describe, expect, it } from "vitest";
import { readFolders } from "#db/files/folders/folders.server.ts";
import { FOLDER_DEPTH_MAX, FOLDERS_MAX, type Folder } from "#domain/files/folders/folder-tree.ts";
import { toComposedName } from "#domain/files/name-forms.ts";
import { numberedName } from "#domain/files/trash.ts";
import { CONTENT_MAX, NOTES_PER_BOARD } from "#domain/notes/note.ts";
import { DAY_MS } from "#domain/time/durations.ts";
import { OWNER_ID } from "#tests/authorisation/callers.ts";
import { MEGABYTE } from "#tests/entries/entry.ts";
import { givenFolders } from "#tests/support/files/folder-trees.ts";
import { openTestStore } from "#tests/support/store.ts";
import { itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";
import { provideToken } from "./feeds.ts";
import { type Ask, expectHoldsNobodyUp, openMeteredWeb } from "./metered-web.ts";

const store = await openTestStore();
const meteredWeb = openMeteredWeb(store.uri);
/** Filling a library takes time. */
const LONG = { timeout: 240_000 };

const draw = <T>(name: string, cases: readonly T[], count = 1) =>
  drawCases(`full libraries: ${name}`, cases, count);

type Call = [path: string, init: Parameters<Ask>[1]];
const asPage = { html: true };
const sendJson = (method: string, body: unknown) => ({
  method,
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});

async function send(method: string, path: string, body: unknown): Promise<Record<string, string>> {
  const init = typeof body === "string" ? { method, body } : sendJson(method, body);
  const answer = await meteredWeb().people.owner(path, init);
  expect(answer.ok, `${method} ${path} ${answer.status}`).toBe(true);
  return answer.json();
}

async function expectCallsHoldNobodyUp(calls: readonly Call[], prepare?: () => Promise<void>): Promise<void> {
  for (const [path, init] of calls) {
    const name = `${init?.method ?? "GET"} ${path.slice(0, 100)}`;
    await expectHoldsNobodyUp(meteredWeb(), name, () => meteredWeb().people.owner(path, init), prepare);
  }
}

const NOW = new Date();
const IN_TRASH = { deleted_at: NOW, expires_at: new Date(NOW.getTime() + 30 * DAY_MS) };
const LIVING = { deleted_at: null, expires_at: null };
const toId = (n: number) => n.toString(16).padStart(24, "0");

type NthFolder = (
  n: number,
) => Pick<Folder, "name" | "deleted_at" | "expires_at"> & { parent_id?: string | null };

/** All folders at the root, with room for one more path. */
async function givenEach(nth: NthFolder, count = FOLDERS_MAX - FOLDER_DEPTH_MAX): Promise<void> {
  const folders = Array.from({ length: count }, (_, n) => {
    const { name, ...more } = nth(n);
    return { id: toId(n), name: toComposedName(name), ...more };
  });
  await givenFolders(store.db, OWNER_ID, folders, NOW);
}

const withLongNames =
  (unit: string): NthFolder =>
  (n) => ({ name: `${unit.repeat(250 / unit.length)}${n}`, ...LIVING });
const withNumberedNames: NthFolder = (n) =>
  n === 0 ? { name: "a", ...IN_TRASH } : { name: n === 1 ? "a" : numberedName("a", n), ...LIVING };
const inTrash: NthFolder = (n) => ({ name: `a${n}`, ...IN_TRASH });

const FOLDER_LISTS: readonly Call[] = [
  ["/api/folders", {}],
  ["/files?folder=root", asPage],
  ["/files?folder_page=25", asPage],
  ["/upload", asPage],
  ["/api/folders", sendJson("POST", { name: "new" })],
  [`/api/files/${"a/".repeat(FOLDER_DEPTH_MAX)}a.py`, { method: "PUT", body: "a" }],
];
const TRASH_LISTS: readonly Call[] = [
  ["/trash", {}],
  ["/trash", asPage],
  ["/files/actions", { method: "POST", html: true, body: new URLSearchParams({ intent: "empty" }) }],
];
const RESTORE: readonly Call[] = [[`/api/folders/${toId(0)}/restore`, sendJson("POST", {})]];

const FOLDERS: readonly [name: string, nth: NthFolder, calls: readonly Call[]][] = [
  ["with long names of letters that grow", withLongNames("İ"), FOLDER_LISTS],
  ["with long names of letters with many marks", withLongNames("ᾂ"), FOLDER_LISTS],
  ["with long names of marks alone", withLongNames("\u0323\u0301"), FOLDER_LISTS],
  ["with long names of numbers", withLongNames("1a"), FOLDER_LISTS],
  ["whose numbered names are taken", withNumberedNames, RESTORE],
  ["in the trash", inTrash, TRASH_LISTS],
];

describe("as many folders as a person may have", () => {
  it.each(draw("folders", FOLDERS))("%s hold up nobody else", LONG, async (_, nth, calls) => {
    await expectCallsHoldNobodyUp(isFullRun ? calls : draw("calls", calls, 2), () => givenEach(nth));
  });

  itInFullRun("are copied by a WebDAV client in a time that grows with their number", LONG, async () => {
    const web = meteredWeb();
    const headers = { Authorization: `Bearer ${await provideToken(store.db)}`, Destination: "/dav/copy" };
    const measureCopy = async (count: number) => {
      await givenEach((n) => ({ name: `a${n}`, parent_id: n === 0 ? null : toId(0), ...LIVING }), count);
      const copy = () => web.people.anyone("/dav/a0", { method: "COPY", headers });
      const { status, usedMs } = await web.measure(copy);
      expect([status, (await readFolders(store.db, OWNER_ID)).size]).toEqual([201, 2 * count]);
      return usedMs;
    };
    await measureCopy(10);
    const [few, many] = [await measureCopy(500), await measureCopy(2_000)];
    expect(many).toBeLessThan(8 * Math.max(few, 50));
  });
});

/** A board with as many notes as it may hold, each of maximum length. */
async function expectFullBoardHoldsNobodyUp(): Promise<void> {
  const letter = "𝔞";
  const board = await store.given.board(OWNER_ID, "full");
  const target = { kind: "board", board_id: board.id } as const;
  const updates: object[] = [];
  for (let n = 0; n < NOTES_PER_BOARD; n += 1) {
    const note = await store.given.note(
      OWNER_ID,
      { content: `${letter.repeat(CONTENT_MAX - 10)}${n}` },
      target,
    );
    updates.push({ id: note.id, position: { x: n, y: n } });
  }
  const sought = encodeURIComponent(letter);
  await expectCallsHoldNobodyUp([
    [`/boards/${board.id}`, asPage],
    ["/notes", asPage],
    [`/api/sticky-notes/board/${board.id}`, {}],
    [`/search?q=${sought}`, asPage],
    [`/api/sticky-notes/search?q=${sought}`, {}],
    ["/api/sticky-notes/batch", sendJson("POST", { updates })],
  ]);
}

const LONG_BYTES = 2 * MEGABYTE - 100;
const CHANGED_FILES = {
  "long-0.txt": LONG_BYTES,
  "long-1.txt": LONG_BYTES,
  "long-2.txt": LONG_BYTES,
};
const SHORT_BYTES = 20_000;

async function expectNotesOnChangedLinesHoldNobodyUp(): Promise<void> {
  const write = (name: string, bytes: number, word: string) => {
    let text = "";
    for (let n = 0; text.length < bytes; n += 1) text += `${word} ${n} ${n * 7}\n`;
    return send("PUT", `/api/files/${name}`, text);
  };
  const files = Object.entries(CHANGED_FILES);
  for (const [name, bytes] of files) {
    const { file_id } = await write(name, bytes, "old");
    await send("POST", `/api/sticky-notes/${file_id}`, { content: "note", line_start: 500 });
  }
  for (const [word, init] of [["new", asPage] as const, ["newer", {}] as const]) {
    for (const [name, bytes] of files) await write(name, bytes, word);
    await expectCallsHoldNobodyUp([["/notes", init]]);
  }
  // A busy machine may give up the long files; a short one by itself shows that changed lines are looked for.
  const { file_id } = await write("short.txt", SHORT_BYTES, "old");
  await send("POST", `/api/sticky-notes/${file_id}`, { content: "note", line_start: 500 });
  await write("short.txt", SHORT_BYTES, "new");
  const { notes } = await (await meteredWeb().people.owner(`/api/sticky-notes/${file_id}`)).json();
  expect(notes).toMatchObject([{ anchor: { state: "changed" } }]);
}

const SOUGHT_FILES = 25;

/** A search that matches many long Markdown files with such headings. */
async function expectSearchHoldsNobodyUp(word: string, line: (n: number) => string): Promise<void> {
  let text = "";
  for (let n = 0; text.length < MEGABYTE / 4 - 600; n += 1) text += line(n);
  const body = text.replaceAll("word", word);
  for (let n = 0; n < SOUGHT_FILES; n += 1) await send("PUT", `/api/files/${word}-${n}.md`, `${n}\n${body}`);
  await expectCallsHoldNobodyUp([[`/search?q=${word}`, asPage]]);
}

const OTHERS: readonly [name: string, prove: () => Promise<void>][] = [
  ["a full board of long notes", expectFullBoardHoldsNobodyUp],
  ["notes on long files whose lines have changed", expectNotesOnChangedLinesHoldNobodyUp],
  ["finding short headings", () => expectSearchHoldsNobodyUp("short", (n) => `# word${n}\n`)],
  [
    "finding headings of brackets",
    () => expectSearchHoldsNobodyUp("brackets", () => `# word ${"[".repeat(480)}\n`),
  ],
  [
    "finding headings of asterisks",
    () => expectSearchHoldsNobodyUp("asterisks", () => `# word ${"*a ".repeat(160)}\n`),
  ],
  [
    "finding empty headings",
    () => expectSearchHoldsNobodyUp("empty", (n) => (n % 10_000 === 0 ? "# word\n" : "#\n")),
  ],
];

it.each(draw("long texts", OTHERS))("long texts hold up nobody else: %s", LONG, (_, prove) => prove());
