import type { Db } from "#db/client.ts";
import { duplicateFields } from "#db/core/slots.server.ts";
import { findNote, type NoteRecord } from "#db/notes/notes.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

type Create = (id?: string) => Promise<NoteRecord | Refusal>;

/**
 * Creates a note with an id from its form, so that a form that is sent twice, or again after a lost answer, makes one note. If
 * that note was deleted since, the form makes another.
 */
export async function createNoteOnce(
  db: Db,
  ownerId: string,
  id: string | undefined,
  create: Create,
): Promise<NoteRecord | Refusal> {
  if (id === undefined) return create();
  const findExisting = () => findNote(db, ownerId, id);
  const existing = await findExisting();
  if (existing) return existing;
  try {
    const note = await create(id);
    // The other of two simultaneous requests may have taken the last slot, or the title.
    return isRefusal(note) ? ((await findExisting()) ?? note) : note;
  } catch (error) {
    if (!duplicateFields(error).includes("_id")) throw error;
    return (await findExisting()) ?? create();
  }
}
