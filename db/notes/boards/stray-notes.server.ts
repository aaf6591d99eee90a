import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import { BOARD_TARGETS, ensureDefaultBoard } from "#db/notes/boards/boards.server.ts";
import { moveBoardNotes } from "#db/notes/note-moves.server.ts";
import { lastItem } from "#domain/required.ts";

/** The number of moved notes, and the target where the next sweep begins; null to begin from the start. */
type SweepResult = { moved: number; next: string | null };

const PAGE_SIZE = 500;
const NOTES_MAX = 5_000;

/**
 * Moves notes of deleted boards to their owner's default board, after an interrupted move or deletion. Each call reads only
 * index keys, and only a part of all notes on boards.
 */
export async function moveStrayNotes(
  db: Db,
  from: string | null,
  now: Date,
  notesMax = NOTES_MAX,
): Promise<SweepResult> {
  let moved = 0;
  let after = from ?? BOARD_TARGETS.$gte;
  for (let readCount = 0; readCount < notesMax; readCount += PAGE_SIZE) {
    const notes = await db.notes
      .find({ target: { $gt: after, $lt: BOARD_TARGETS.$lt } })
      .project<{ target: string; user_id: string }>({ _id: 0, target: 1, user_id: 1 })
      .sort({ target: 1, user_id: 1 })
      .limit(PAGE_SIZE)
      .toArray();
    const owners = new Map(notes.map(({ target, user_id }) => [toBoardId(target), user_id]));
    for (const [boardId, user_id] of await listDeletedBoards(db, owners)) {
      const defaultBoard = await ensureDefaultBoard(db, user_id, now);
      moved += await moveBoardNotes(db, user_id, boardId, defaultBoard.id, now);
    }
    if (notes.length < PAGE_SIZE) return { moved, next: null };
    after = lastItem(notes).target;
  }
  return { moved, next: after };
}

const toBoardId = (target: string) => target.slice(BOARD_TARGETS.$gte.length);

/** Boards are read after their notes, so a board that was created in between is found. */
async function listDeletedBoards(
  db: Db,
  owners: Map<string, string>,
): Promise<[boardId: string, ownerId: string][]> {
  const ids = [...owners.keys()].map((id) => new ObjectId(id));
  const boards = await db.boards
    .find({ _id: { $in: ids }, removed_at: null })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const existingIds = new Set(boards.map(({ _id }) => _id.toHexString()));
  return [...owners].filter(([id]) => !existingIds.has(id));
}
