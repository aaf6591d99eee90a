import { ObjectId } from "mongodb";
import { type BoardRecord, findBoard, findDefaultBoard } from "#db/boards/boards.server.ts";
import type { Db } from "#db/client.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { moveBoardNotes } from "#db/notes/note-moves.server.ts";
import { findNote, noteNotFound } from "#db/notes/notes.server.ts";
import { duplicateFields, findFreeSlot, takingSlots } from "#db/slots.server.ts";
import { keepOrFindSpot } from "#domain/boards/free-spot.ts";
import { nextMoment, notesPerTarget, targetKey } from "#domain/notes/note.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const WRITE_ATTEMPTS = 100;

type BoardMove = {
  boardId: string;
  /** Where on that board. Without it the note keeps its position where that is free, and else gets the first free one. */
  position?: NoteRecord["position"];
};

/** `before`: the note as the move found it, by which the move can be taken back. */
export type MovedNote = { note: NoteRecord; before: NoteRecord; board: BoardRecord };

/**
 * Takes a note of a board to another board. A note that is written meanwhile is read again and moved with what was written. Where the
 * board is deleted meanwhile, the note goes on to the default board with the others of that board.
 */
export async function moveToBoard(
  db: Db,
  ownerId: string,
  noteId: string,
  { boardId, position }: BoardMove,
  now: Date,
): Promise<MovedNote | Refusal> {
  const board = await findBoard(db, ownerId, boardId);
  if (!board) return boardNotFound(boardId);
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
    const before = await findNote(db, ownerId, noteId);
    if (!before) return noteNotFound(noteId);
    if (before.kind !== "board") return Refusal("target_fixed", { field: "board_id" });
    if (before.board_id === boardId) return { note: before, before, board };
    const spot = position ?? (await chooseSpot(db, before, boardId));
    const note = await writeMove(db, before, { boardId, position: spot }, now);
    if (note) return isRefusal(note) ? note : followBoard(db, { note, before, board }, now);
  }
  throw new Error("A note changed faster than it could be moved");
}

async function chooseSpot(
  db: Db,
  { user_id, position, size }: NoteRecord,
  boardId: string,
): Promise<NoteRecord["position"]> {
  const there = await db.notes
    .find(
      { target: targetKey({ kind: "board", board_id: boardId }), user_id, deleted_at: null },
      { projection: { _id: 0, position: 1, size: 1 }, hint: "by_target" },
    )
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return keepOrFindSpot(there, { position, size });
}

/** One write that holds while the note is what it was: null where it is not. */
async function writeMove(
  db: Db,
  { id, user_id, title, updated_at }: NoteRecord,
  { boardId, position }: Required<BoardMove>,
  now: Date,
): Promise<NoteRecord | Refusal | null> {
  const place = { kind: "board", board_id: boardId } as const;
  const target = targetKey(place);
  const max = notesPerTarget(place);
  try {
    return await takingSlots(
      async () => {
        const target_slot = await findFreeSlot(db.notes, { user_id, target }, "target_slot", max);
        if (target_slot === null) return Refusal("note_quota_exceeded", { max, per: "board" });
        const moved = {
          board_id: boardId,
          target,
          target_slot,
          position,
          updated_at: nextMoment(now, updated_at),
        };
        const doc = await db.notes.findOneAndUpdate(
          { _id: new ObjectId(id), user_id, deleted_at: null, updated_at },
          { $set: title ? { ...moved, titled_in: target } : moved },
          { returnDocument: "after", projection: LIGHT },
        );
        return doc && toNote(doc);
      },
      (field) => field === "target_slot",
    );
  } catch (error) {
    if (!duplicateFields(error).includes("titled_in")) throw error;
    return Refusal("duplicate_title", { title });
  }
}

/** The board may have been deleted between the first look and the write, and its deletion may have missed this note. */
async function followBoard(db: Db, moved: MovedNote, now: Date): Promise<MovedNote | Refusal> {
  const { note, board } = moved;
  if (await findBoard(db, note.user_id, board.id)) return moved;
  const standard = await findDefaultBoard(db, note.user_id, now);
  await moveBoardNotes(db, note.user_id, board.id, standard.id, now);
  const followed = await findNote(db, note.user_id, note.id);
  return followed ? { ...moved, note: followed, board: standard } : noteNotFound(note.id);
}

const boardNotFound = (board_id: string) => Refusal("board_not_found", { board_id });
