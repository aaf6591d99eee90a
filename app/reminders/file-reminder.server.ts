import type { WebServices } from "#app/web/request-context.ts";
import { findFile } from "#db/files/file-records.server.ts";
import { createNote, listNotes, type NoteRecord } from "#db/notes/notes.server.ts";
import { checkNewNote } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";

/** The reminder of a file belongs to a note whose content is the file's name. Null if there is no such note yet. */
export async function findFileNote(
  { db }: WebServices,
  ownerId: string,
  fileId: string,
): Promise<{ fileName: string; note: NoteRecord | null } | Refusal> {
  const file = await findFile(db, ownerId, fileId);
  if (!file) return Refusal("file_not_found", { file_id: fileId });
  const notes = await listNotes(db, ownerId, { kind: "file", file_id: fileId });
  if (isRefusal(notes)) return notes;
  const note = notes.find(({ content }) => content === file.file_name) ?? null;
  return { fileName: file.file_name, note };
}

/** Returns the note that carries the file's reminder, and creates it if it does not exist. */
export async function ensureFileNote(
  services: WebServices,
  ownerId: string,
  fileId: string,
  now: Date,
): Promise<NoteRecord | Refusal> {
  const result = await findFileNote(services, ownerId, fileId);
  if (isRefusal(result)) return result;
  if (result.note) return result.note;
  const fields = checkNewNote({ content: result.fileName });
  if (isRefusal(fields)) return fields;
  const quota = { maxPerUser: services.env.maxNotesPerUser };
  const target = { kind: "file", file_id: fileId } as const;
  return createNote(services.db, ownerId, { target, fields, quota, now, forReminder: true });
}
