import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { skipDuplicate } from "#db/core/faults.server.ts";
import { findFreeSlot, writeWithFreeSlot } from "#db/core/slots.server.ts";
import type { BoardDoc } from "#db/notes/boards/documents.ts";
import { moveBoardNotes } from "#db/notes/note-moves.server.ts";
import { BOARDS_MAX, DEFAULT_BOARD_NAME, isBoardId } from "#domain/boards/board.ts";
import { targetKey } from "#domain/notes/note.ts";
import { Refusal } from "#domain/refusal.ts";
import { required } from "#domain/required.ts";

export type BoardRecord = Pick<BoardDoc, "name" | "is_default" | "created_at" | "updated_at"> & {
  id: string;
};

const isLiving = (ownerId: string) => ({ user_id: ownerId, removed_at: null });

/** Lists the default board first, then the others in order of creation. Creates the default board on first use. */
export async function listBoards(db: Db, ownerId: string, now: Date): Promise<BoardRecord[]> {
  const docs = await db.boards.find({ user_id: ownerId }).sort({ created_at: 1, _id: 1 }).toArray();
  const existing = docs.find(({ is_default }) => is_default);
  const defaultBoard = existing ? toBoard(existing) : await ensureDefaultBoard(db, ownerId, now);
  for (const doc of docs) if (doc.removed_at) await finishBoardRemoval(db, doc, defaultBoard.id, now);
  const others = docs.filter(({ is_default, removed_at }) => !is_default && !removed_at);
  return [defaultBoard, ...others.map(toBoard)];
}

export async function findBoard(db: Db, ownerId: string, boardId: string): Promise<BoardRecord | null> {
  if (!isBoardId(boardId)) return null;
  const doc = await db.boards.findOne({ _id: new ObjectId(boardId), ...isLiving(ownerId) });
  return doc && toBoard(doc);
}

/** Finds or creates the default board. The unique index decides which of several first uses creates it. */
export async function ensureDefaultBoard(db: Db, ownerId: string, now: Date): Promise<BoardRecord> {
  const isDefault = { user_id: ownerId, is_default: true };
  const existing = await db.boards.findOne(isDefault);
  if (existing) return toBoard(existing);
  const draft = { name: DEFAULT_BOARD_NAME, is_default: true };
  const created =
    (await skipDuplicate(insertBoard(db, ownerId, draft, now))) ?? (await db.boards.findOne(isDefault));
  return toBoard(required(created, "default board after an insert"));
}

export async function createBoard(
  db: Db,
  ownerId: string,
  name: string,
  now: Date,
): Promise<BoardRecord | Refusal> {
  await ensureDefaultBoard(db, ownerId, now);
  const board = await writeWithFreeSlot(
    async () => {
      const slot = await findFreeSlot(db.boards, { user_id: ownerId }, "slot", BOARDS_MAX);
      return slot === null ? null : insertBoard(db, ownerId, { name, is_default: false, slot }, now);
    },
    (field) => field === "slot",
  );
  return board ? toBoard(board) : Refusal("board_quota_exceeded", { max: BOARDS_MAX });
}

async function insertBoard(
  db: Db,
  user_id: string,
  { name, is_default, slot = 0 }: { name: string; is_default: boolean; slot?: number },
  now: Date,
): Promise<BoardDoc> {
  const doc: BoardDoc = {
    _id: new ObjectId(),
    user_id,
    name,
    is_default,
    slot,
    created_at: now,
    updated_at: now,
    removed_at: null,
  };
  await db.boards.insertOne(doc);
  return doc;
}

export async function updateBoard(
  db: Db,
  ownerId: string,
  boardId: string,
  { name }: { name: string },
  now: Date,
): Promise<BoardRecord | Refusal> {
  if (!isBoardId(boardId)) return notFound(boardId);
  const doc = await db.boards.findOneAndUpdate(
    { _id: new ObjectId(boardId), ...isLiving(ownerId) },
    { $set: { name, updated_at: now } },
    { returnDocument: "after" },
  );
  return doc ? toBoard(doc) : notFound(boardId);
}

/**
 * Moves a board's notes to the default board and deletes it. The board is hidden first, so that no further note is put on it.
 * An interrupted removal continues when the boards are listed next.
 */
export async function removeBoard(
  db: Db,
  ownerId: string,
  boardId: string,
  now: Date,
): Promise<{ moved: number } | Refusal> {
  const board = await findBoard(db, ownerId, boardId);
  if (!board) return notFound(boardId);
  if (board.is_default) return Refusal("cannot_delete_default", { board_id: boardId });
  const defaultBoard = await ensureDefaultBoard(db, ownerId, now);
  const doc = await db.boards.findOneAndUpdate(
    { _id: new ObjectId(boardId), ...isLiving(ownerId), is_default: false },
    { $set: { removed_at: now } },
    { returnDocument: "after" },
  );
  return doc ? { moved: await finishBoardRemoval(db, doc, defaultBoard.id, now) } : notFound(boardId);
}

async function finishBoardRemoval(
  db: Db,
  { _id, user_id }: BoardDoc,
  toId: string,
  now: Date,
): Promise<number> {
  const moved = await moveBoardNotes(db, user_id, _id.toHexString(), toId, now);
  await db.boards.deleteOne({ _id, user_id, removed_at: { $gt: new Date(0) } });
  return moved;
}

export type CountedBoard = BoardRecord & { notes: number };

/**
 * Lists boards with the numbers of their notes. Notes of deleted boards are moved to the default board here and by
 * `trash_check`: a process that moved a note to a board during its deletion may have been interrupted.
 */
export async function listBoardsWithCounts(db: Db, ownerId: string, now: Date): Promise<CountedBoard[]> {
  const boards = await listBoards(db, ownerId, now);
  const counts = await countNotesByBoard(db, ownerId);
  const boardIds = new Set(boards.map(({ id }) => id));
  const defaultBoard = boards.find(({ is_default }) => is_default);
  for (const id of counts.keys()) {
    // A board that was created after the boards were listed is not deleted.
    if (!defaultBoard || boardIds.has(id) || (await findBoard(db, ownerId, id))) continue;
    const moved = await moveBoardNotes(db, ownerId, id, defaultBoard.id, now);
    counts.set(defaultBoard.id, (counts.get(defaultBoard.id) ?? 0) + moved);
  }
  return boards.map((board) => ({ ...board, notes: counts.get(board.id) ?? 0 }));
}

const ON_BOARDS = targetKey({ kind: "board", board_id: "" });

/** The range of all targets on boards. The semicolon is the character after the colon. */
export const BOARD_TARGETS = { $gte: ON_BOARDS, $lt: ON_BOARDS.replace(":", ";") };

/**
 * Counts the notes of each board; boards without notes are missing. It counts keys of the slot index, which has only notes that
 * are not deleted.
 */
export async function countNotesByBoard(db: Db, ownerId: string): Promise<Map<string, number>> {
  const counts = await db.notes
    .aggregate<{ _id: string; notes: number }>(
      [
        { $match: { user_id: ownerId, target: BOARD_TARGETS, target_slot: { $gte: 0 } } },
        { $group: { _id: "$target", notes: { $sum: 1 } } },
      ],
      { hint: "target_slot" },
    )
    .toArray();
  return new Map(counts.map(({ _id, notes }) => [_id.slice(ON_BOARDS.length), notes]));
}

const notFound = (board_id: string) => Refusal("board_not_found", { board_id });

function toBoard({ _id, name, is_default, created_at, updated_at }: BoardDoc): BoardRecord {
  return { id: _id.toHexString(), name, is_default, created_at, updated_at };
}
