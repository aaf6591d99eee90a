import { z } from "zod";
import {
  dueShape,
  reminderShape,
  toWireDueReminder,
  toWireReminder,
} from "#app/reminders/reminder-wire.server.ts";
import { endpoint, withFailureFlag } from "#app/web/api/api.server.ts";
import { count, createLimitParam, done, ok, timestamp } from "#app/web/api/shapes.server.ts";
import { findNote, noteNotFound } from "#db/notes/notes.server.ts";
import { attachNotes, readReminderSummary, setNoteReminder } from "#db/reminders/note-reminders.server.ts";
import {
  acknowledgeReminder,
  findReminder,
  listDueReminders,
  removeReminders,
  snoozeReminder,
} from "#db/reminders/reminders.server.ts";
import { isRefusal } from "#domain/refusal.ts";
import { acknowledgement, reminderTime, snooze } from "#domain/reminders/reminder-schema.ts";
import { computeSnoozeEnd, DUE_LIMIT, DUE_LIMIT_MAX } from "#domain/reminders/reminder-state.ts";
import { reminderMoment } from "#domain/reminders/reminder-time.ts";
import { toTimestamp } from "#domain/time/timestamp.ts";

const dueQuery = z.object({
  limit: createLimitParam(DUE_LIMIT, DUE_LIMIT_MAX),
});

const summaryShape = z.object({
  ok,
  has_due: z.boolean(),
  count_due: count,
  next_in_seconds: count.nullable(),
});
const remindShape = z.object({ ok, remind_at: timestamp });

export const reminderEndpoints = withFailureFlag("ok", [
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/reminders/summary",
    gate: "user",
    summary: "Count due reminders and get the time of the next",
    returns: { 200: summaryShape },
    answer: async ({ services: { db, clock }, signedIn }) => ({
      ok: true,
      ...(await readReminderSummary(db, signedIn.user.id, clock())),
    }),
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/reminders/list",
    gate: "user",
    summary: "List due reminders, oldest first",
    returns: { 200: z.object({ ok, count, items: z.array(dueShape) }) },
    query: dueQuery,
    answer: async ({ services: { db, clock }, signedIn: { user }, query }) => {
      const due = await listDueReminders(db, user.id, clock(), query.limit);
      const items = (await attachNotes(db, user.id, due)).map(toWireDueReminder);
      return { ok: true, count: items.length, items };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/reminders/ack",
    gate: "user",
    summary: "Mark a reminder as seen",
    body: acknowledgement,
    refuses: ["invalid_remind_at", "reminder_not_found"],
    returns: { 200: done },
    answer: async ({ services: { db, clock }, signedIn: { user }, body: { note_id, remind_at } }) => {
      const result = await acknowledgeReminder(db, user.id, note_id, remind_at ?? null, clock());
      return isRefusal(result) ? result : { ok: true };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/note/:note_id/reminder",
    gate: "user",
    summary: "Get the reminder of a note, or null",
    returns: { 200: z.object({ ok, reminder: reminderShape.nullable() }) },
    answer: async ({ services: { db }, signedIn: { user }, params: { note_id } }) => {
      const note = await findNote(db, user.id, note_id);
      if (!note) return noteNotFound(note_id);
      const reminder = await findReminder(db, user.id, note_id);
      return { ok: true, reminder: reminder && toWireReminder({ reminder, note }) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/reminder",
    gate: "user",
    summary: "Set the reminder of a note",
    body: reminderTime,
    refuses: ["invalid_time", "invalid_preset", "invalid_timezone", "time_not_in_future"],
    returns: { 200: remindShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body }) => {
      const now = clock();
      const moment = reminderMoment(body, user.timezone, now);
      if (isRefusal(moment)) return moment;
      const reminder = await setNoteReminder(db, user.id, note_id, moment, now);
      return isRefusal(reminder) ? reminder : { ok: true, remind_at: toTimestamp(reminder.remind_at) };
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/sticky-notes/note/:note_id/reminder",
    gate: "user",
    summary: "Remove the reminder of a note",
    returns: { 200: done },
    answer: async ({ services: { db }, signedIn: { user }, params: { note_id } }) => {
      if (!(await findNote(db, user.id, note_id))) return noteNotFound(note_id);
      await removeReminders(db, user.id, [note_id]);
      return { ok: true };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/snooze",
    gate: "user",
    summary: "Snooze a reminder, by default for an hour",
    body: snooze,
    refuses: ["invalid_minutes", "reminder_not_found"],
    returns: { 200: remindShape },
    answer: async ({ services: { db, clock }, signedIn: { user }, params: { note_id }, body: minutes }) => {
      const now = clock();
      const reminder = await snoozeReminder(db, user.id, note_id, computeSnoozeEnd(minutes, now), now);
      return isRefusal(reminder) ? reminder : { ok: true, remind_at: toTimestamp(reminder.remind_at) };
    },
  }),
]);
