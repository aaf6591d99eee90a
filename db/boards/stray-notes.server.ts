import { ObjectId } from "mongodb";
import { BOARD_TARGETS, findDefaultBoard } from "#db/boards/boards.server.ts";
import type { Db } from "#db/client.ts";
import { moveBoardNotes } from "#db/notes/note-moves.server.ts";
import { lastItem } from "#domain/required.ts";

/** How many notes were moved, and the target after which the next sweep begins; null where it begins anew. */
type StrayNotesSwept = { moved: number; next: string | null };

const LOOK_AT_ONCE = 500;
const LOOKED_MAX = 5_000;

/**
 * Moves notes of deleted boards to their owner's default board: a move or a deletion was cut off. Reads the keys of an index, and only
 * a part of all notes on boards in each call.
 */
export async function moveStrayNotes(
  db: Db,
  from: string | null,
  now: Date,
  lookedMax = LOOKED_MAX,
): Promise<StrayNotesSwept> {
  let moved = 0;
  let after = from ?? BOARD_TARGETS.$gte;
  for (let looked = 0; looked < lookedMax; looked += LOOK_AT_ONCE) {
    const notes = await db.notes
      .find({ target: { $gt: after, $lt: BOARD_TARGETS.$lt } })
      .project<{ target: string; user_id: string }>({ _id: 0, target: 1, user_id: 1 })
      .sort({ target: 1, user_id: 1 })
      .limit(LOOK_AT_ONCE)
      .toArray();
    const owners = new Map(notes.map(({ target, user_id }) => [toBoardId(target), user_id]));
    for (const [boardId, user_id] of await listGone(db, owners)) {
      const standard = await findDefaultBoard(db, user_id, now);
      moved += await moveBoardNotes(db, user_id, boardId, standard.id, now);
    }
    if (notes.length < LOOK_AT_ONCE) return { moved, next: null };
    after = lastItem(notes).target;
  }
  return { moved, next: after };
}

const toBoardId = (target: string) => target.slice(BOARD_TARGETS.$gte.length);

/** The boards are read after their notes, so a board that is made meanwhile is found. */
async function listGone(db: Db, owners: Map<string, string>): Promise<[boardId: string, ownerId: string][]> {
  const ids = [...owners.keys()].map((id) => new ObjectId(id));
  const boards = await db.boards
    .find({ _id: { $in: ids }, removed_at: null })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .toArray();
  const present = new Set(boards.map(({ _id }) => _id.toHexString()));
  return [...owners].filter(([id]) => !present.has(id));
}
