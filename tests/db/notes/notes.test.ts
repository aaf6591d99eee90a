import { describe, expect, it } from "vitest";
import {
  ensureDefaultBoard,
  listBoards,
  listBoardsWithCounts,
  removeBoard,
} from "#db/notes/boards/boards.server.ts";
import { findFormerFileNames } from "#db/notes/left-files.server.ts";
import { listPastContents } from "#db/notes/note-history.server.ts";
import { createNote, findNote, listNotes, updateNote } from "#db/notes/notes.server.ts";
import { removeNote } from "#db/reminders/notes/deleted-notes.server.ts";
import { moveToBoard, returnToFile } from "#db/reminders/notes/note-board.server.ts";
import { findReminder, setReminder } from "#db/reminders/reminders.server.ts";
import type { NoteTarget } from "#domain/notes/note.ts";
import { checkNewNote, type NoteFields } from "#domain/notes/note-schema.ts";
import { isRefusal } from "#domain/refusal.ts";
import { beforeVerb, replaceVerb } from "#tests/support/databases/changed-store.ts";
import { onBoard, onFile } from "#tests/support/given.ts";
import { afterNoon, NOON, openTestStore } from "#tests/support/store.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";

const { db, given } = await openTestStore();
const LATER = afterNoon(60_000);

const givenFile = async (owner: string) => onFile(await given.file(owner, "a.py", "one\ntwo\nthree\n"));
const givenBoard = async (owner: string, name = "Board") => onBoard(await given.board(owner, name));
const givenNote = (owner: string, target: NoteTarget, fields: Partial<NoteFields> = {}) =>
  given.note(owner, fields, target);

const attempt = (owner: string, target: NoteTarget, fields: object, maxPerUser = 1000) =>
  createNote(db, owner, { target, fields: orThrow(checkNewNote(fields)), quota: { maxPerUser }, now: NOON });

it("a note that is written twice in one millisecond has two times of change", async () => {
  const note = await givenNote("twice", await givenFile("twice"));
  const first = orThrow(await updateNote(db, "twice", note.id, { content: "1" }, { now: NOON }));
  const second = orThrow(await updateNote(db, "twice", note.id, { content: "2" }, { now: NOON }));
  expect(new Set([note, first, second].map(({ updated_at }) => updated_at.getTime())).size).toBe(3);
});

it("a title is unique on a board, even if two come at once, and not on a file", async () => {
  const board = await givenBoard("titles");
  const both = await Promise.all([1, 2].map(() => attempt("titles", board, { title: "Plan" })));
  expect(both.filter(isRefusal)).toMatchObject([{ refused: "duplicate_title" }]);
  const other = await givenNote("titles", board, { title: "Other" });
  expect(await updateNote(db, "titles", other.id, { title: "Plan" }, { now: NOON })).toMatchObject({
    refused: "duplicate_title",
  });
  await givenNote("titles", await givenBoard("titles", "Second"), { title: "Plan" });
  const file = await givenFile("titles");
  for (let i = 0; i < 2; i += 1) await givenNote("titles", file, { title: "Plan" });
});

it("boards begin with one default board, however many first uses come at once", async () => {
  const boards = await Promise.all(Array.from({ length: 12 }, () => ensureDefaultBoard(db, "first", NOON)));
  expect(new Set(boards.map(({ id }) => id)).size).toBe(1);
  expect(await listBoards(db, "first", NOON)).toEqual([boards[0]]);
});

describe("moving a note to another board", () => {
  const listOn = async (owner: string, target: NoteTarget) => orThrow(await listNotes(db, owner, target));

  it("covers no other note there, and goes back to the very position it had", async () => {
    const [from, to] = [await givenBoard("spot"), await givenBoard("spot", "Other")];
    const neighbour = await givenNote("spot", to, { position: { x: 30, y: 30 } });
    const note = await givenNote("spot", from, { position: { x: 40, y: 40 } });

    const moved = orThrow(await moveToBoard(db, "spot", note.id, { boardId: to.board_id }, LATER));
    expect(moved.note.position.x).toBeGreaterThan(neighbour.position.x + neighbour.size.width);

    const { position, board_id } = moved.before;
    const back = await moveToBoard(db, "spot", note.id, { boardId: board_id ?? "", position }, LATER);
    expect(back).toMatchObject({ note: { ...from, position: { x: 40, y: 40 } } });
  });

  it("keeps what others write to it at the same time", async () => {
    const [from, to] = [await givenBoard("both"), await givenBoard("both", "Other")];
    const note = await givenNote("both", from, { content: "old" });

    await Promise.all([
      moveToBoard(db, "both", note.id, { boardId: to.board_id }, LATER),
      updateNote(db, "both", note.id, { content: "new" }, { now: LATER }),
      updateNote(db, "both", note.id, { color: "pink" }, { now: LATER }),
    ]);

    expect(await listOn("both", to)).toMatchObject([{ content: "new", color: "pink" }]);
  });

  it("is refused where the title is taken, or either is not there or not one's own", async () => {
    const [from, to] = [await givenBoard("no"), await givenBoard("no", "Other")];
    const note = await givenNote("no", from, { title: "Plan" });
    await givenNote("no", to, { title: "Plan" });
    const foreign = await givenBoard("foreign");
    const move = (owner: string, id: string, boardId: string) =>
      moveToBoard(db, owner, id, { boardId }, LATER);

    expect(await move("no", note.id, to.board_id)).toMatchObject({ refused: "duplicate_title" });
    expect(await move("no", note.id, foreign.board_id)).toMatchObject({ refused: "board_not_found" });
    expect(await move("no", note.id, "nonsense")).toMatchObject({ refused: "board_not_found" });
    expect(await move("foreign", note.id, foreign.board_id)).toMatchObject({ refused: "note_not_found" });
    expect(await listOn("no", from)).toEqual([note]);
  });

  it("takes a note from a file with its text, past and reminder, and back to the lines it had", async () => {
    const [file, to] = [await givenFile("leaves"), await givenBoard("leaves")];
    const fields = { title: "Plan", content: "old", line_start: 2, line_end: 3 };
    const note = await givenNote("leaves", file, fields);
    await updateNote(db, "leaves", note.id, { content: "new" }, { now: NOON });
    const onLines = await findNote(db, "leaves", note.id);
    const remindAt = afterNoon(120_000);
    await setReminder(db, "leaves", note, remindAt, NOON);

    const moving = await moveToBoard(db, "leaves", note.id, { boardId: to.board_id }, LATER);
    const { note: moved } = orThrow(moving);

    expect(moved).toMatchObject({ ...to, file_id: null, title: "Plan", content: "new", line_start: null });
    expect([moved.anchor, "left" in moved]).toEqual([null, false]);
    expect(await listOn("leaves", file)).toEqual([]);
    expect(await listOn("leaves", to)).toEqual([moved]);
    expect(await listPastContents(db, "leaves", note.id)).toMatchObject([{ content: "old" }]);
    expect(await findReminder(db, "leaves", note.id)).toMatchObject({ file_id: null, remind_at: remindAt });

    const { note: back, before } = orThrow(await returnToFile(db, "leaves", note.id, LATER));
    expect(before).toEqual(moved);
    expect({ ...back, updated_at: null }).toEqual({ ...onLines, updated_at: null });
    expect(await listOn("leaves", file)).toEqual([back]);
    expect(await findReminder(db, "leaves", note.id)).toMatchObject({ file_id: file.file_id });
    expect(await returnToFile(db, "leaves", note.id, LATER)).toMatchObject({ refused: "target_fixed" });
  });

  it("takes a note from a file only where its title is free on the board, and back only while the file is there", async () => {
    const [file, to] = [await givenFile("taken"), await givenBoard("taken")];
    const note = await givenNote("taken", file, { title: "Plan" });
    const other = await givenNote("taken", to, { title: "Plan" });
    const move = () => moveToBoard(db, "taken", note.id, { boardId: to.board_id }, LATER);
    expect(await move()).toMatchObject({ refused: "duplicate_title" });

    await removeNote(db, "taken", other.id, LATER);
    orThrow(await move());
    expect(await findFormerFileNames(db, "taken", to.board_id)).toEqual(new Map([[note.id, "a.py"]]));
    await db.files.deleteMany({ user_id: "taken" });
    expect(await findFormerFileNames(db, "taken", to.board_id)).toEqual(new Map());
    expect(await returnToFile(db, "taken", note.id, LATER)).toMatchObject({ refused: "file_not_found" });
    expect(await listOn("taken", to)).toMatchObject([{ id: note.id }]);
  });

  it("ends on the default board if the board was deleted between the look and the write", async () => {
    const standard = await ensureDefaultBoard(db, "late", NOON);
    const [from, to] = [await givenBoard("late"), await givenBoard("late", "Other")];
    const note = await givenNote("late", from);
    const store = beforeVerb(db, "notes", "findOneAndUpdate", () =>
      removeBoard(db, "late", to.board_id, LATER),
    );

    const moved = await moveToBoard(store, "late", note.id, { boardId: to.board_id }, LATER);

    expect(moved).toMatchObject({ note: { board_id: standard.id }, board: { id: standard.id } });
    expect(await listOn("late", { kind: "board", board_id: standard.id })).toHaveLength(1);
  });

  it("ends on the default board when boards are listed, if the process stopped right after that write", async () => {
    const standard = await ensureDefaultBoard(db, "cut", NOON);
    const [from, to] = [await givenBoard("cut"), await givenBoard("cut", "Other")];
    const note = await givenNote("cut", from);
    const stopping = replaceVerb(db, "notes", "findOneAndUpdate", async (findOneAndUpdate, ...words) => {
      await removeBoard(db, "cut", to.board_id, LATER);
      await findOneAndUpdate(...words);
      throw new Error("killed");
    });
    const moving = moveToBoard(stopping, "cut", note.id, { boardId: to.board_id }, LATER);
    await expect(moving).rejects.toThrow("killed");
    expect((await findNote(db, "cut", note.id))?.board_id).toBe(to.board_id);

    const boards = await listBoardsWithCounts(db, "cut", LATER);

    expect(boards.map(({ id, notes }) => [id, notes])).toEqual([
      [standard.id, 1],
      [from.board_id, 0],
    ]);
    expect((await findNote(db, "cut", note.id))?.board_id).toBe(standard.id);
  });
});
