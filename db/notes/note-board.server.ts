import { ObjectId } from "mongodb";
import { findBoard } from "#db/boards/boards.server.ts";
import type { Db } from "#db/client.ts";
import { LIGHT, type NoteRecord, toNote } from "#db/notes/note-docs.server.ts";
import { noteNotFound } from "#db/notes/notes.server.ts";
import { duplicateFields, findFreeSlot, takingSlots } from "#db/slots.server.ts";
import { nextMoment, notesPerTarget, targetKey } from "#domain/notes/note.ts";
import { Refusal } from "#domain/refusal.ts";

/** Takes a note of a board to another board, by one write that holds while the note is what it was. */
export async function moveToBoard(
  db: Db,
  ownerId: string,
  note: NoteRecord,
  boardId: string,
  now: Date,
): Promise<NoteRecord | Refusal> {
  if (note.kind !== "board" || !(await findBoard(db, ownerId, boardId)))
    return Refusal("board_not_found", { board_id: boardId });
  const place = { kind: "board", board_id: boardId } as const;
  const target = targetKey(place);
  const max = notesPerTarget(place);
  try {
    return await takingSlots(
      async () => {
        const target_slot = await findFreeSlot(db.notes, { user_id: ownerId, target }, "target_slot", max);
        if (target_slot === null) return Refusal("note_quota_exceeded", { max, per: "board" });
        const moved = {
          board_id: boardId,
          target,
          target_slot,
          updated_at: nextMoment(now, note.updated_at),
        };
        const doc = await db.notes.findOneAndUpdate(
          { _id: new ObjectId(note.id), user_id: ownerId, deleted_at: null, updated_at: note.updated_at },
          { $set: note.title ? { ...moved, titled_in: target } : moved },
          { returnDocument: "after", projection: LIGHT },
        );
        return doc ? toNote(doc) : noteNotFound(note.id);
      },
      (field) => field === "target_slot",
    );
  } catch (error) {
    if (!duplicateFields(error).includes("titled_in")) throw error;
    return Refusal("duplicate_title", { title: note.title });
  }
}
