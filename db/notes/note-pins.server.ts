import type { Db } from "#db/client.ts";
import { locateOne } from "#db/notes/note-anchors.server.ts";
import {
  findNote,
  type NoteRecord,
  noteNotFound,
  type UpdateOptions,
  updateNote,
} from "#db/notes/notes.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** Confirms where a note is: its place as computed now becomes what it remembers, in the version its file shows. */
export async function pinNote(
  db: Db,
  ownerId: string,
  noteId: string,
  options: UpdateOptions,
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const place = await locateOne(db, ownerId, note);
  if (!place || place.state === "lost") return Refusal("anchor_lost", { note });
  const { line_start, line_end, anchor_id } = place;
  const prev = options.prev ?? note.updated_at;
  if (note.line_start === null) return updateNote(db, ownerId, noteId, { anchor_id }, { ...options, prev });
  const end = note.line_end === null && line_start === line_end ? null : line_end;
  return updateNote(db, ownerId, noteId, { line_start, line_end: end }, { ...options, prev });
}
