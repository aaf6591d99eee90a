import { describe, expect, it } from "vitest";
import { BOARDS_MAX, checkBoardName, isBoardId } from "#domain/boards/board.ts";
import { boardRequest } from "#domain/boards/board-schema.ts";
import { freeSpot, keepOrFindSpot } from "#domain/boards/free-spot.ts";
import { checkBySchema } from "#domain/schema.ts";

describe("a board", () => {
  it("has a name of 1 to 80 characters on one line", () => {
    expect(checkBoardName(" Plans ")).toBe("Plans");
    expect(checkBoardName("🙂".repeat(80))).toBe("🙂".repeat(80));
    for (const name of ["", " ", "x".repeat(81), "a\nb", "\ud800", 7, null, undefined])
      expect(checkBySchema(boardRequest, { name })).toEqual({
        refused: "invalid_board_name",
        context: { max: 80, field: "name" },
      });
  });

  it("is one of 500 at most, under an id like others", () => {
    expect([isBoardId("a".repeat(24)), isBoardId("a board")]).toEqual([true, false]);
    expect(BOARDS_MAX).toBe(500);
  });
});

describe("the free place for a new note", () => {
  const size = { width: 240, height: 200 };
  const placeNote = (x: number, y: number) => ({ position: { x, y }, size });

  it("goes through four columns and then down, a gap apart", () => {
    const notes: ReturnType<typeof placeNote>[] = [];
    for (let i = 0; i < 40; i += 1) {
      const { x, y } = freeSpot(notes, size);
      notes.push(placeNote(x, y));
    }
    const columns = [24, 280, 536, 792];
    const rows = Array.from({ length: 10 }, (_, row) => 24 + 216 * row);
    expect(notes).toEqual(rows.flatMap((y) => columns.map((x) => placeNote(x, y))));
  });

  it.each([
    ["to its right, a gap away", placeNote(280, 24), { x: 24, y: 24 }],
    ["to its right, too close", placeNote(279, 24), { x: 536, y: 24 }],
    ["below, a gap away", placeNote(24, 240), { x: 24, y: 24 }],
    ["below, too close", placeNote(24, 239), { x: 280, y: 24 }],
    ["to its left, a gap away", placeNote(-232, 24), { x: 24, y: 24 }],
    ["to its left, too close", placeNote(-231, 24), { x: 280, y: 24 }],
    ["above, a gap away", placeNote(24, -192), { x: 24, y: 24 }],
    ["above, too close", placeNote(24, -191), { x: 280, y: 24 }],
  ])("leaves room for a note that lies %s", (_, note, place) => {
    expect(freeSpot([note], size)).toEqual(place);
  });

  it("is the position that a note brings along, unless it would cover a note there", () => {
    const note = placeNote(700, 300);
    expect(keepOrFindSpot([], note)).toEqual({ x: 700, y: 300 });
    expect(keepOrFindSpot([placeNote(24, 24)], note)).toEqual({ x: 700, y: 300 });
    expect(keepOrFindSpot([placeNote(24, 24), placeNote(690, 310)], note)).toEqual({ x: 280, y: 24 });
  });
});
