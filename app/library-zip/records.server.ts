import type { FileDoc, VersionDoc } from "#db/files/documents.ts";
import type { BoardRecord } from "#db/notes/boards/boards.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
import { toFileFields } from "#domain/files/file-schema.ts";
import type { Exported } from "#domain/library-zip/export-format.ts";
import { pickTargetFields } from "#domain/notes/note.ts";
import { toNoteFields } from "#domain/notes/note-schema.ts";
import { toTimestamp, toTimestampOrNull } from "#domain/time/timestamp.ts";

/** Stored documents as records of an export. Numbered slots and the search index are left out, because the import makes them again. */
export function toExportedFile(
  file: FileDoc,
  folder: string,
  versions: { version: VersionDoc; path: string }[],
): Exported<"files"> {
  return {
    id: file._id.toHexString(),
    ...toFileFields(file),
    folder,
    last_version: file.last_version,
    pin_slot: file.pin_slot,
    created_at: toTimestamp(file.created_at),
    updated_at: toTimestamp(file.updated_at),
    last_opened_at: toTimestampOrNull(file.last_opened_at),
    deleted_at: toTimestampOrNull(file.deleted_at),
    expires_at: toTimestampOrNull(file.expires_at),
    versions: versions.map(({ version: one, path }) => ({
      version: one.version,
      file_name: one.file_name,
      language: one.language,
      created_at: toTimestamp(one.created_at),
      path,
    })),
  };
}

export function toExportedBoard({
  id,
  name,
  is_default,
  created_at,
  updated_at,
}: BoardRecord): Exported<"boards"> {
  return { id, name, is_default, created_at: toTimestamp(created_at), updated_at: toTimestamp(updated_at) };
}

export function toExportedNote(note: NoteDoc): Exported<"notes"> {
  const { kind, anchor, kept_reminder } = note;
  return {
    id: note._id.toHexString(),
    kind,
    ...pickTargetFields(note),
    ...toNoteFields(note),
    anchor,
    history: (note.history ?? []).map(({ content, updated_at }) => ({
      content,
      updated_at: toTimestamp(updated_at),
    })),
    created_at: toTimestamp(note.created_at),
    updated_at: toTimestamp(note.updated_at),
    deleted_at: toTimestampOrNull(note.deleted_at),
    expires_at: toTimestampOrNull(note.expires_at),
    kept_reminder: kept_reminder ? { remind_at: toTimestamp(kept_reminder.remind_at) } : null,
  };
}

export function toExportedReminder(reminder: ReminderDoc): Exported<"reminders"> {
  return {
    note_id: reminder._id.toHexString(),
    remind_at: toTimestamp(reminder.remind_at),
    status: reminder.status,
    ack_at: toTimestampOrNull(reminder.ack_at),
    created_at: toTimestamp(reminder.created_at),
    ...(reminder.changed_at ? { changed_at: toTimestamp(reminder.changed_at) } : {}),
    expires_at: toTimestampOrNull(reminder.expires_at),
    push_at: toTimestampOrNull(reminder.push_at),
  };
}
