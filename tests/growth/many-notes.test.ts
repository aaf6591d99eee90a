import { describe, expect, it } from "vitest";
import { CONTENT_MAX, NOTES_PER_BOARD } from "#domain/notes/note.ts";
import { openTestStore } from "#tests/support/store.ts";
import { type Ask, expectHoldsNobodyUp, openMeteredWeb } from "./metered-web.ts";

const store = await openTestStore();
const meteredWeb = openMeteredWeb(store.uri);

const AT_ONCE = 8;

const sendJson = (method: string, body: unknown) => ({
  method,
  body: JSON.stringify(body),
  headers: { "Content-Type": "application/json" },
});

/** The ids of the board and of its notes, each of which has this content as often as it fits. */
async function givenFullBoard(ask: Ask, unit: string): Promise<{ board_id: string; noteIds: string[] }> {
  const made = await (await ask("/api/note-boards", sendJson("POST", { name: `Full of ${unit}` }))).json();
  const board_id = made.board.id as string;
  const content = unit.repeat(Math.floor((CONTENT_MAX - 10) / [...unit].length));
  const noteIds: string[] = [];
  const numbers = Array.from({ length: NOTES_PER_BOARD }, (_, n) => n);
  const work = async () => {
    for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) {
      const body = { content: `${content}${n}` };
      const note = await (await ask(`/api/sticky-notes/board/${board_id}`, sendJson("POST", body))).json();
      noteIds.push(note.id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { board_id, noteIds };
}

describe("as many notes as a board may hold, each as long as it may be", () => {
  it("hold up nobody else", { timeout: 180_000 }, async () => {
    const unit = "𝔞";
    const ask = meteredWeb().people.owner;
    const { board_id, noteIds } = await givenFullBoard(ask, unit);
    expect(noteIds).toHaveLength(NOTES_PER_BOARD);
    const moves = noteIds.map((id, n) => ({ id, position: { x: n, y: n } }));
    const calls: [path: string, init: Parameters<Ask>[1]][] = [
      [`/boards/${board_id}`, { html: true }],
      ["/notes", { html: true }],
      [`/api/sticky-notes/board/${board_id}`, {}],
      [`/search?q=${encodeURIComponent(unit.trim())}`, { html: true }],
      [`/api/sticky-notes/search?q=${encodeURIComponent(unit.trim())}`, {}],
      ["/api/sticky-notes/batch", sendJson("POST", { updates: moves })],
    ];
    for (const [path, init] of calls) await expectHoldsNobodyUp(meteredWeb(), path, () => ask(path, init));
  });
});
