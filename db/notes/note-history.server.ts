import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { PastContent } from "#db/notes/documents.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { findNote, noteNotFound, updateNote } from "#db/notes/notes.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** The contents a note had before, newest first. Each is identified by the moment it was written. */
export async function listPastContents(
  db: Db,
  ownerId: string,
  noteId: string,
): Promise<PastContent[] | Refusal> {
  if (!(await findNote(db, ownerId, noteId))) return noteNotFound(noteId);
  const doc = await db.notes.findOne(
    { _id: new ObjectId(noteId), user_id: ownerId, deleted_at: null },
    { projection: { history: 1 } },
  );
  return doc ? (doc.history ?? []).toReversed() : noteNotFound(noteId);
}

/** Makes a past content the present one; what was present becomes the newest past. */
export async function restoreContent(
  db: Db,
  ownerId: string,
  noteId: string,
  writtenAt: Date,
  options: { prev?: Date; now: Date },
): Promise<NoteRecord | Refusal> {
  const past = await listPastContents(db, ownerId, noteId);
  if (!Array.isArray(past)) return past;
  const chosen = past.find(({ updated_at }) => updated_at.getTime() === writtenAt.getTime());
  if (!chosen) return Refusal("note_content_not_found", { note_id: noteId });
  return updateNote(db, ownerId, noteId, { content: chosen.content }, options);
}
