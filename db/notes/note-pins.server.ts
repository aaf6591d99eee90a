import type { Db } from "#db/client.ts";
import { locateNote } from "#db/notes/note-anchors.server.ts";
import { suggestForNote } from "#db/notes/note-suggestions.server.ts";
import {
  findNote,
  type NoteRecord,
  noteNotFound,
  type UpdateOptions,
  updateNote,
} from "#db/notes/notes.server.ts";
import { formatLines } from "#domain/notes/note-place.ts";
import type { NoteFields } from "#domain/notes/note-schema.ts";
import { Refusal } from "#domain/refusal.ts";

type NoteLines = Pick<NoteFields, "line_start" | "line_end">;

/** Confirms where a note is: the place located now becomes its anchor, in the file's current version. */
export async function confirmNotePlace(
  db: Db,
  ownerId: string,
  noteId: string,
  options: UpdateOptions,
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const place = await locateNote(db, ownerId, note);
  if (!place || place.state === "lost") return Refusal("anchor_lost", { note });
  const { anchor_id } = place;
  const prev = options.prev ?? note.updated_at;
  if (note.line_start === null) return updateNote(db, ownerId, noteId, { anchor_id }, { ...options, prev });
  return updateNote(db, ownerId, noteId, toNoteLines(note, place), { ...options, prev });
}

/**
 * Attaches a lost note to lines that are suggested for it, written as `4` or `4-7`. The suggestions are computed again, because
 * the text may have changed since they were shown.
 */
export async function attachToSuggestedLines(
  db: Db,
  ownerId: string,
  noteId: string,
  lines: string,
  options: UpdateOptions,
): Promise<NoteRecord | Refusal> {
  const note = await findNote(db, ownerId, noteId);
  if (!note) return noteNotFound(noteId);
  const suggestions = await suggestForNote(db, ownerId, note);
  const chosen = suggestions.find(({ line_start, line_end }) => formatLines(line_start, line_end) === lines);
  if (!chosen) return Refusal("anchor_lost", { note });
  const prev = options.prev ?? note.updated_at;
  return updateNote(db, ownerId, noteId, toNoteLines(note, chosen), { ...options, prev });
}

/** A note on a single line without an end stays without an end. */
function toNoteLines(note: NoteRecord, { line_start, line_end }: NoteLines): NoteLines {
  return { line_start, line_end: note.line_end === null && line_start === line_end ? null : line_end };
}
