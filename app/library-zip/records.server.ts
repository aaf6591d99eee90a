import type { FileDoc, VersionDoc } from "#db/files/documents.ts";
import type { BoardRecord } from "#db/notes/boards/boards.server.ts";
import type { NoteDoc } from "#db/notes/documents.ts";
import type { ReminderDoc } from "#db/reminders/documents.ts";
import { toFileFields } from "#domain/files/file-schema.ts";
import { type Exported, RECORDS } from "#domain/library-zip/export-format.ts";
import { pickTargetFields } from "#domain/notes/note.ts";
import { toNoteFields } from "#domain/notes/note-schema.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";
import { listKeys, pickKeys } from "#domain/typed-keys.ts";

/** Stored documents as records of an export. Numbered slots and the search index are left out, because the import makes them again. */
export function toExportedFile(
  file: FileDoc,
  folder: string,
  versions: { version: VersionDoc; path: string }[],
): Exported<"files"> {
  const { last_version, pin_slot, created_at, updated_at, last_opened_at, deleted_at, expires_at } = file;
  return {
    id: file._id.toHexString(),
    ...toFileFields(file),
    folder,
    ...{ last_version, pin_slot },
    ...writeTimestamps({ created_at, updated_at, last_opened_at, deleted_at, expires_at }),
    versions: versions.map(({ version: { version, file_name, language, created_at }, path }) =>
      writeTimestamps({ version, file_name, language, created_at, path }),
    ),
  };
}

export function toExportedBoard(board: BoardRecord): Exported<"boards"> {
  return writeTimestamps(pickKeys(board, listKeys(RECORDS.boards.shape)));
}

export function toExportedNote(note: NoteDoc): Exported<"notes"> {
  const { kind, anchor, kept_reminder, created_at, updated_at, deleted_at, expires_at = null } = note;
  return {
    id: note._id.toHexString(),
    kind,
    ...pickTargetFields(note),
    ...toNoteFields(note),
    anchor,
    history: (note.history ?? []).map(({ content, updated_at }) => writeTimestamps({ content, updated_at })),
    ...writeTimestamps({ created_at, updated_at, deleted_at, expires_at }),
    kept_reminder: kept_reminder ? writeTimestamps(kept_reminder) : null,
  };
}

export function toExportedReminder(reminder: ReminderDoc): Exported<"reminders"> {
  const { _id, remind_at, status, ack_at, created_at, changed_at, expires_at, push_at = null } = reminder;
  return {
    note_id: _id.toHexString(),
    ...writeTimestamps({ remind_at, status, ack_at, created_at, expires_at, push_at }),
    ...(changed_at ? writeTimestamps({ changed_at }) : {}),
  };
}
