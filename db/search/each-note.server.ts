import { setImmediate } from "node:timers/promises";
import type { Document } from "mongodb";
import type { Db } from "#db/client.ts";
import { readInPages } from "#db/core/pages.ts";
import type { NoteDoc } from "#db/notes/documents.ts";

const NOTES_AT_ONCE = 100;
/** Other requests run after this many characters. */
const TURN_LENGTH = 200_000;

/** Yields every note of a person that is not deleted, newest first, and lets other requests run in between. */
export async function* readEachNote<Read extends Document & Pick<NoteDoc, "content">>(
  db: Db,
  ownerId: string,
  projection: Document,
  color?: string,
): AsyncGenerator<Read> {
  const notes = readInPages<NoteDoc, Read>(db.notes, {
    filter: { user_id: ownerId, deleted_at: null, ...(color ? { color } : {}) },
    order: { updated_at: -1, _id: -1 },
    projection,
    pageSize: NOTES_AT_ONCE,
  });
  let length = 0;
  for await (const note of notes) {
    yield note;
    length += note.content.length;
    if (length < TURN_LENGTH) continue;
    length = 0;
    await setImmediate();
  }
}
