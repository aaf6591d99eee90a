import type { Db } from "#db/client.ts";
import { locateNote } from "#db/notes/note-anchors.server.ts";
import type { NoteRecord } from "#db/notes/notes.server.ts";
import { notePlace, onLinesNow } from "#domain/notes/note-place.ts";

export async function findNotePage(db: Db, ownerId: string, note: NoteRecord): Promise<string> {
  return notePlace(onLinesNow(note, await locateNote(db, ownerId, note)));
}
