import { ObjectId } from "mongodb";
import type { Db } from "#db/client.ts";
import type { PastContent } from "#db/notes/documents.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { findNote, noteNotFound, updateNote } from "#db/notes/notes.server.ts";
import { Refusal } from "#domain/refusal.ts";

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

/** Restores a former content; the current one becomes the newest former content. */
export async function restoreContent(
  db: Db,
  ownerId: string,
  noteId: string,
  writtenAt: Date,
  options: { prev?: Date; now: Date },
): Promise<NoteRecord | Refusal> {
  const pastContents = await listPastContents(db, ownerId, noteId);
  if (!Array.isArray(pastContents)) return pastContents;
  const chosen = pastContents.find(({ updated_at }) => updated_at.getTime() === writtenAt.getTime());
  if (!chosen) return Refusal("note_content_not_found", { note_id: noteId });
  return updateNote(db, ownerId, noteId, { content: chosen.content }, options);
}
