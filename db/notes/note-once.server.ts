import type { Db } from "#db/client.ts";
import { findNote, type NoteRecord } from "#db/notes/notes.server.ts";
import { duplicateFields } from "#db/slots.server.ts";
import { isRefusal, type Refusal } from "#domain/refusal.ts";

type Create = (id?: string) => Promise<NoteRecord | Refusal>;

/**
 * Creates a note under an id from its form: a form that is sent twice, or again because no answer came, makes one note. Where
 * that note was deleted since, the form makes another.
 */
export async function creatingOnce(
  db: Db,
  ownerId: string,
  id: string | undefined,
  create: Create,
): Promise<NoteRecord | Refusal> {
  if (id === undefined) return create();
  const made = () => findNote(db, ownerId, id);
  const before = await made();
  if (before) return before;
  try {
    const note = await create(id);
    // The other of two that came at once may have taken the last place, or the title.
    return isRefusal(note) ? ((await made()) ?? note) : note;
  } catch (error) {
    if (!duplicateFields(error).includes("_id")) throw error;
    return (await made()) ?? create();
  }
}
