import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { findFreeSlot, writeWithFreeSlot } from "#db/core/slots.server.ts";
import { type BoardRecord, ensureDefaultBoard, findBoard } from "#db/notes/boards/boards.server.ts";
import type { LeftPlace, NoteDoc } from "#db/notes/documents.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { moveBoardNotes } from "#db/notes/note-moves.server.ts";
import { findTargetRefusal, toDuplicateTitleRefusal } from "#db/notes/note-places.server.ts";
import { findNote, noteNotFound } from "#db/notes/notes.server.ts";
import { moveReminder } from "#db/reminders/reminders.server.ts";
import { keepOrFindSpot } from "#domain/boards/free-spot.ts";
import {
  computeChangeTime,
  hasUniqueTitles,
  type NoteTarget,
  notesPerTarget,
  pickTargetFields,
  targetFields,
  targetKey,
  toTarget,
} from "#domain/notes/note.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

const WRITE_ATTEMPTS = 100;

type BoardMove = {
  boardId: string;
  /** The position on the board. Without it, the note keeps its position if that is free, else gets the first free one. */
  position?: NoteRecord["position"];
};

type MovedNote = { note: NoteRecord; before: NoteRecord; board: BoardRecord };

/**
 * Moves a note from a board or a file to another board. If the note changes in between, it is read again and moved with the
 * change. If the board is deleted in between, the note goes to the default board like the other notes of that board.
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
    if (before.board_id === boardId) {
      // A move that stopped halfway is finished by the next one.
      await moveReminder(db, ownerId, before);
      return { note: before, before, board };
    }
    const spot = position ?? (await chooseSpot(db, before, boardId));
    const note = await moveToTarget(
      db,
      before,
      { kind: "board", board_id: boardId },
      clearLinePosition(before, spot),
      now,
    );
    if (note) return isRefusal(note) ? note : moveIfBoardDeleted(db, { note, before, board }, now);
  }
  throw new Error("A note changed faster than it could be moved");
}

/** The fields that a move to a board changes besides the board. A note on a file loses its lines and stores them for the way back. */
function clearLinePosition(note: NoteRecord, position: NoteRecord["position"]): Partial<NoteDoc> {
  if (note.kind === "board") return { position };
  const { kind, line_start, line_end, anchor_id, anchor_text, anchor, mode } = note;
  const { board_id: _, ...target } = pickTargetFields(note);
  const lines = { line_start, line_end, anchor_id, anchor_text, anchor, mode };
  return {
    ...{ line_start: null, line_end: null, anchor_id: null, anchor_text: null, anchor: null },
    mode: "surface",
    position,
    left: { kind, ...target, ...lines, position: note.position },
  };
}

/** Moves a note of a board back to the file it came from, with its former lines. */
export async function returnToFile(
  db: Db,
  ownerId: string,
  noteId: string,
  now: Date,
): Promise<Pick<MovedNote, "note" | "before"> | Refusal> {
  for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
    const before = await findNote(db, ownerId, noteId);
    if (!before) return noteNotFound(noteId);
    const leftPlace = await findFormerPlace(db, before);
    if (!leftPlace) return Refusal("target_fixed", { field: "file_id" });
    const target = toTarget({ ...leftPlace, board_id: null });
    const missing = await findTargetRefusal(db, ownerId, target);
    if (missing) return missing;
    const note = await moveToTarget(db, before, target, leftPlace, now);
    if (note) return isRefusal(note) ? note : { note, before };
  }
  throw new Error("A note changed faster than it could be moved");
}

async function findFormerPlace(db: Db, { id, user_id, kind }: NoteRecord): Promise<LeftPlace | null> {
  if (kind !== "board") return null;
  const doc = await db.notes.findOne({ _id: new ObjectId(id), user_id }, { projection: { _id: 0, left: 1 } });
  return doc?.left ?? null;
}

async function chooseSpot(
  db: Db,
  { user_id, position, size }: NoteRecord,
  boardId: string,
): Promise<NoteRecord["position"]> {
  const boardNotes = await db.notes
    .find(
      { target: targetKey({ kind: "board", board_id: boardId }), user_id, deleted_at: null },
      { projection: { _id: 0, position: 1, size: 1 }, hint: "by_target" },
    )
    .sort({ created_at: 1, _id: 1 })
    .toArray();
  return keepOrFindSpot(boardNotes, { position, size });
}

/** Writes the new place if the note is unchanged, then moves its reminder. Null if the note was changed. */
async function moveToTarget(
  db: Db,
  { id, user_id, title, updated_at }: NoteRecord,
  newTarget: NoteTarget,
  fields: Partial<NoteDoc>,
  now: Date,
): Promise<NoteRecord | Refusal | null> {
  const target = targetKey(newTarget);
  const max = notesPerTarget(newTarget);
  const isTitled = title && hasUniqueTitles(newTarget);
  try {
    const note = await writeWithFreeSlot(
      async () => {
        const target_slot = await findFreeSlot(db.notes, { user_id, target }, "target_slot", max);
        if (target_slot === null) return Refusal("note_quota_exceeded", { max, per: newTarget.kind });
        const changes = {
          ...fields,
          kind: newTarget.kind,
          ...targetFields(newTarget),
          target,
          target_slot,
          updated_at: computeChangeTime(now, updated_at),
        };
        const doc = await db.notes.findOneAndUpdate(
          { _id: new ObjectId(id), user_id, deleted_at: null, updated_at },
          isTitled
            ? { $set: { ...changes, titled_in: target } }
            : { $set: changes, $unset: { titled_in: "" } },
          { returnDocument: "after", projection: LIGHT },
        );
        return doc && toNote(doc);
      },
      (field) => field === "target_slot",
    );
    if (note && !isRefusal(note)) await moveReminder(db, user_id, note);
    return note;
  } catch (error) {
    return toDuplicateTitleRefusal(error, title);
  }
}

/** The board may have been deleted between the check and the write, and its deletion may have missed this note. */
async function moveIfBoardDeleted(db: Db, moved: MovedNote, now: Date): Promise<MovedNote | Refusal> {
  const { note, board } = moved;
  if (await findBoard(db, note.user_id, board.id)) return moved;
  const defaultBoard = await ensureDefaultBoard(db, note.user_id, now);
  await moveBoardNotes(db, note.user_id, board.id, defaultBoard.id, now);
  const currentNote = await findNote(db, note.user_id, note.id);
  return currentNote ? { ...moved, note: currentNote, board: defaultBoard } : noteNotFound(note.id);
}

const boardNotFound = (board_id: string) => Refusal("board_not_found", { board_id });
