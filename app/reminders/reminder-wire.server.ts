import { z } from "zod";
import { opaqueId, timestamp } from "#app/web/api/shapes.server.ts";
import type { Reminded } from "#db/reminders/note-reminders.server.ts";
import { pickTargetFields } from "#domain/notes/note.ts";
import { plainWords } from "#domain/notes/note-markdown.ts";
import { noteTargetFields } from "#domain/notes/note-schema.ts";
import { REMINDER_STATUSES, toPreview } from "#domain/reminders/reminder-state.ts";
import { toTimestamp, toTimestampOrNull } from "#domain/time/timestamp.ts";

export const dueShape = z
  .object({
    note_id: opaqueId,
    ...noteTargetFields,
    preview: z.string(),
    anchor_id: z.string().nullable(),
    anchor_text: z.string().nullable(),
    remind_at: timestamp,
  })
  .meta({ id: "DueReminder" });

export const reminderShape = dueShape
  .extend({ status: z.enum(REMINDER_STATUSES), ack_at: timestamp.nullable() })
  .meta({ id: "Reminder" });

export function toWireDueReminder({ reminder, note }: Reminded) {
  return {
    note_id: note.id,
    ...pickTargetFields(note),
    preview: toPreview(note.content) || (note.title ?? ""),
    anchor_id: note.anchor_id,
    anchor_text: note.anchor_text,
    remind_at: toTimestamp(reminder.remind_at),
  };
}

/** The first words of a note without their markup. */
export function toPlainPreview({ content, title }: Reminded["note"]): string {
  return toPreview(plainWords(content)) || (title ?? "");
}

export function toReminderRow({ reminder, note, place }: Reminded) {
  return {
    note_id: note.id,
    preview: toPlainPreview(note),
    place: place ?? null,
    remind_at: toTimestamp(reminder.remind_at),
    ack_at: toTimestampOrNull(reminder.ack_at),
  };
}

export function toWireReminder({ reminder, note }: Reminded) {
  return {
    ...toWireDueReminder({ reminder, note }),
    status: reminder.status,
    ack_at: toTimestampOrNull(reminder.ack_at),
  };
}
