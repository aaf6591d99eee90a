import type { Db } from "#db/client.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import { LIGHT } from "#db/notes/note-docs.server.ts";
import { duplicateFields, takenSlots, takingSlots } from "#db/slots.server.ts";
import { nextMoment, numberedTitle, targetKey } from "#domain/notes/note.ts";

/**
 * Takes the notes of a board to another one, each by one write. A title that is taken there gets a number. Moving never fails for want of
 * room: a board that is over its limit by it takes no new notes until it is below.
 */
export async function moveBoardNotes(
  db: Db,
  ownerId: string,
  fromId: string,
  toId: string,
  now: Date,
): Promise<number> {
  const from = targetKey({ kind: "board", board_id: fromId });
  let moved = 0;
  for (;;) {
    const docs = await db.notes
      .find({ target: from, user_id: ownerId }, { projection: LIGHT })
      .sort({ created_at: 1, _id: 1 })
      .toArray();
    if (docs.length === 0) return moved;
    for (const doc of docs) if ((await moveNote(db, doc, toId, now)) && !doc.deleted_at) moved += 1;
  }
}

const TITLES_TRIED = 1000;

/** False where the note changed meanwhile; it is then met again. */
async function moveNote(db: Db, doc: NoteDoc, board_id: string, now: Date): Promise<boolean> {
  for (let number = 1; number <= TITLES_TRIED; number += 1) {
    const title = doc.title !== null && number > 1 ? numberedTitle(doc.title, number) : doc.title;
    try {
      return await takingSlots(
        () => writeMove(db, doc, { board_id, title }, now),
        (field) => field === "target_slot",
      );
    } catch (error) {
      if (!duplicateFields(error).includes("titled_in")) throw error;
    }
  }
  throw new Error("No free title was found for a note to move");
}

async function writeMove(
  db: Db,
  { _id, user_id, updated_at, deleted_at, title: old }: NoteDoc,
  { board_id, title }: { board_id: string; title: string | null },
  now: Date,
): Promise<boolean> {
  const target = targetKey({ kind: "board", board_id });
  const taken = deleted_at ? null : await takenSlots(db.notes, { user_id, target }, "target_slot");
  const { modifiedCount } = await db.notes.updateOne(
    { _id, user_id, updated_at, deleted_at, title: old },
    {
      $set: {
        board_id,
        target,
        title,
        updated_at: nextMoment(now, updated_at),
        ...(taken ? { target_slot: lowestFree(taken), titled_in: title ? target : undefined } : {}),
      },
    },
  );
  return modifiedCount === 1;
}

function lowestFree(taken: Set<number>): number {
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}
