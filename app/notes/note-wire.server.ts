import { z } from "zod";
import { count, line, ok, opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { Db } from "#db/client.ts";
import { locateAllNotes } from "#db/notes/note-anchors.server.ts";
import type { NoteRecord } from "#db/notes/note-docs.server.ts";
import { checkNotesOrphaned } from "#db/notes/repos/repo-notes.server.ts";
import { findNoteReminders, type Reminder } from "#db/reminders/reminders.server.ts";
import { NOTE_KINDS } from "#domain/notes/note.ts";
import { ANCHOR_STATES } from "#domain/notes/note-anchor.ts";
import type { NotePlace } from "#domain/notes/note-locating.ts";
import { noteFields, noteTargetFields } from "#domain/notes/note-schema.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { REMINDER_STATUSES, toPreview } from "#domain/reminders/reminder-state.ts";
import { itemAt } from "#domain/required.ts";
import { toTimestamp, writeTimestamps } from "#domain/time/timestamp.ts";

const target = z.object({
  kind: z.enum(NOTE_KINDS),
  ...noteTargetFields,
});
const noteReminder = z.object({
  note_id: opaqueId,
  file_id: opaqueId.nullable(),
  remind_at: timestamp,
  status: z.enum(REMINDER_STATUSES),
  ack_at: timestamp.nullable(),
  preview: z.string(),
  anchor_id: z.string().nullable(),
  anchor_text: z.string().nullable(),
});
const notePlace = z.object({
  line_start: line.nullable(),
  line_end: line.nullable(),
  anchor_id: z.string().nullable(),
  state: z.enum(ANCHOR_STATES),
  from_version: z.int().nullable(),
  version: z.int().min(1),
});
export const noteShape = z
  .object({
    id: opaqueId,
    ...target.shape,
    ...noteFields.shape,
    orphaned: z.boolean().nullable().meta({
      description:
        "Whether the mirrored copy of its repository lacks its file; null where a change is answered and the copy cannot be read.",
    }),
    created_at: timestamp,
    updated_at: timestamp,
    prev_updated_at: timestamp.meta({ description: "What a change of this state sends back: `updated_at`." }),
    reminder: noteReminder.nullable(),
    anchor: notePlace.nullable(),
  })
  .meta({ id: "Note" });

export const noteListShape = z.object({ ok, notes: z.array(noteShape), count });
export const createdNoteShape = z.object({ ok, id: opaqueId, note: noteShape });
export const changedNoteShape = z.object({ ok, updated_at: timestamp, note: noteShape });

type NoteContext = { reminder?: Reminder; place?: NotePlace; orphaned?: boolean | null };

/** A note as clients see it. `anchor` says where its lines or heading are in the current version of its file. */
function buildWireNote(note: NoteRecord, { reminder, place, orphaned = false }: NoteContext) {
  const { user_id: _, anchor: _a, ...fields } = note;
  return {
    ...writeTimestamps(fields),
    orphaned,
    prev_updated_at: toTimestamp(note.updated_at),
    reminder: reminder ? toWireReminder(reminder, note) : null,
    anchor: place ?? null,
  };
}

type WireNote = ReturnType<typeof buildWireNote>;

function toWireReminder({ note_id, file_id, remind_at, status, ack_at }: Reminder, note: NoteRecord) {
  return {
    ...writeTimestamps({ note_id, file_id, remind_at, status, ack_at }),
    preview: toPreview(note.content),
    anchor_id: note.anchor_id,
    anchor_text: note.anchor_text,
  };
}

/** Adds what is stored elsewhere: the notes' reminders, their current lines, and whether their files are missing. */
export async function toWireNotes(
  db: Db,
  ownerId: string,
  notes: readonly NoteRecord[],
): Promise<WireNote[]> {
  const ids = notes.map(({ id }) => id);
  const [reminders, places, orphaned] = await Promise.all([
    findNoteReminders(db, ownerId, ids),
    locateAllNotes(db, ownerId, notes),
    checkNotesOrphaned(db, ownerId, notes),
  ]);
  return notes.map((note) =>
    buildWireNote(note, {
      reminder: reminders.get(note.id),
      place: places.get(note.id),
      orphaned: orphaned.get(note.id),
    }),
  );
}

export async function toWireNote(db: Db, ownerId: string, note: NoteRecord): Promise<WireNote> {
  return itemAt(await toWireNotes(db, ownerId, [note]), 0);
}

export const findStoredNote = (refusal: Refusal) => refusal.context.note as NoteRecord | undefined;

/** Writes the note that a refusal carries as clients see notes, with its content and time beside it. */
export async function toWireRefusal(db: Db, ownerId: string, refusal: Refusal): Promise<Refusal> {
  const storedNote = findStoredNote(refusal);
  if (!storedNote) return refusal;
  const note = await toWireNote(db, ownerId, storedNote);
  const { content, updated_at } = note;
  return Refusal(refusal.refused, { ...refusal.context, updated_at, content, note });
}

export async function toUpdateAnswer(
  db: Db,
  ownerId: string,
  result: NoteRecord | Refusal,
): Promise<{ ok: true; updated_at: string; note: WireNote } | Refusal> {
  if (isRefusal(result)) return toWireRefusal(db, ownerId, result);
  const note = await toWireNote(db, ownerId, result);
  return { ok: true, updated_at: note.updated_at, note };
}
