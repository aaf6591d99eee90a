import type { Db } from "#db/client.ts";
import { locateNote } from "#db/notes/note-anchors.server.ts";
import type { NoteRecord } from "#db/notes/notes.server.ts";
import { moveToCurrentLines, toNoteAddress } from "#domain/notes/note-place.ts";

export async function findNotePageAddress(db: Db, ownerId: string, note: NoteRecord): Promise<string> {
  return toNoteAddress(moveToCurrentLines(note, await locateNote(db, ownerId, note)));
}
