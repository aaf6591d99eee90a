import { z } from "zod";
import { endpoint } from "#app/http/api/api.server.ts";
import { count, done, ok, opaqueId, timestamp } from "#app/http/api/shapes.server.ts";
import { readJson } from "#app/http/door/body.server.ts";
import { dueOnWire, dueShape, reminderOnWire, reminderShape } from "#app/reminders/reminder-wire.server.ts";
import { findNote, noteNotFound } from "#db/notes/notes.server.ts";
import { remindOfNote, summariseReminders, withNotes } from "#db/reminders/note-reminders.server.ts";
import {
  acknowledgeReminder,
  findReminder,
  listDueReminders,
  removeReminders,
  snoozeReminder,
} from "#db/reminders/reminders.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { DUE_LIMIT, DUE_LIMIT_MAX, snoozedMoment } from "#domain/reminders/reminder-state.ts";
import { REMINDER_PRESETS, reminderMoment } from "#domain/reminders/reminder-time.ts";
import { parseTimestamp, toTimestamp } from "#domain/time/timestamp.ts";

const dueQuery = z.object({
  limit: z
    .string()
    .regex(/^([+-]?\d{1,9})?$/, "must be a whole number")
    .transform((text) => Math.min(Math.max(text === "" ? DUE_LIMIT : Number(text), 1), DUE_LIMIT_MAX))
    .default(DUE_LIMIT),
});

const summaryShape = z.object({
  ok,
  has_due: z.boolean(),
  count_due: count,
  next_in_seconds: count.nullable(),
});
const remindShape = z.object({ ok, remind_at: timestamp });
const wish = z
  .object({
    preset: z.enum(REMINDER_PRESETS).optional(),
    at: z.string().optional().meta({ description: "A wall time: 2026-11-14T09:00" }),
    tz: z.string().optional().meta({ description: "A time zone: Asia/Jerusalem" }),
  })
  .meta({ description: "Either preset or at." });
const acknowledgement = z.object({ note_id: opaqueId, remind_at: timestamp.nullable().optional() });
const snooze = z.object({ minutes: z.int().nullable().optional() }).optional();

type Sent = Record<string, unknown>;

/** What was sent as a JSON object; nothing sent is an empty one only where that is allowed. */
async function readObject(request: Request, { orNothing = false } = {}): Promise<Sent | Refusal> {
  const sent = await readJson(request);
  if (isRefusal(sent)) return sent;
  if (sent === undefined && orNothing) return {};
  const isObject = typeof sent === "object" && sent !== null && !Array.isArray(sent);
  return isObject
    ? (sent as Sent)
    : Refusal("invalid_payload", { message: "The body is not a JSON object." });
}

export const reminderEndpoints = [
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/reminders/summary",
    gate: "user",
    summary: "How many reminders are due, and when the next one is",
    returns: { 200: summaryShape },
    answer: async ({ services: { db, clock }, visitor }) => ({
      ok: true,
      ...(await summariseReminders(db, visitor.user.id, clock())),
    }),
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/reminders/list",
    gate: "user",
    summary: "List due reminders, oldest first",
    returns: { 200: z.object({ ok, count, items: z.array(dueShape) }) },
    query: dueQuery,
    answer: async ({ services: { db, clock }, visitor: { user }, query }) => {
      const due = await listDueReminders(db, user.id, clock(), query.limit);
      const items = (await withNotes(db, user.id, due)).map(dueOnWire);
      return { ok: true, count: items.length, items };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/reminders/ack",
    gate: "user",
    summary: "Say that a reminder was seen",
    body: { described: acknowledgement },
    returns: { 200: done },
    answer: async ({ request, services: { db, clock }, visitor: { user } }) => {
      const sent = await readObject(request);
      if (isRefusal(sent)) return sent;
      const { note_id, remind_at = null } = sent;
      if (typeof note_id !== "string" || note_id === "")
        return Refusal("invalid_payload", { message: "It must be the id of a note.", field: "note_id" });
      const moment = parseTimestamp(remind_at);
      if (remind_at !== null && moment === null) return Refusal("invalid_remind_at");
      const acknowledged = await acknowledgeReminder(db, user.id, note_id, moment, clock());
      return isRefusal(acknowledged) ? acknowledged : { ok: true };
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/sticky-notes/note/:note_id/reminder",
    gate: "user",
    summary: "The reminder of a note, or null",
    returns: { 200: z.object({ ok, reminder: reminderShape.nullable() }) },
    answer: async ({ services: { db }, visitor: { user }, params: { note_id } }) => {
      const note = await findNote(db, user.id, note_id);
      if (!note) return noteNotFound(note_id);
      const reminder = await findReminder(db, user.id, note_id);
      return { ok: true, reminder: reminder && reminderOnWire({ reminder, note }) };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/reminder",
    gate: "user",
    summary: "Set the reminder of a note",
    body: { described: wish },
    returns: { 200: remindShape },
    answer: async ({ request, services: { db, clock }, visitor: { user }, params: { note_id } }) => {
      const sent = await readObject(request);
      if (isRefusal(sent)) return sent;
      const now = clock();
      const moment = reminderMoment(sent, user.timezone, now);
      if (isRefusal(moment)) return moment;
      const reminder = await remindOfNote(db, user.id, note_id, moment, now);
      return isRefusal(reminder) ? reminder : { ok: true, remind_at: toTimestamp(reminder.remind_at) };
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/sticky-notes/note/:note_id/reminder",
    gate: "user",
    summary: "Remove the reminder of a note",
    returns: { 200: done },
    answer: async ({ services: { db }, visitor: { user }, params: { note_id } }) => {
      if (!(await findNote(db, user.id, note_id))) return noteNotFound(note_id);
      await removeReminders(db, user.id, [note_id]);
      return { ok: true };
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/sticky-notes/note/:note_id/snooze",
    gate: "user",
    summary: "Put a reminder off, by an hour unless told",
    body: { described: snooze },
    returns: { 200: remindShape },
    answer: async ({ request, services: { db, clock }, visitor: { user }, params: { note_id } }) => {
      const sent = await readObject(request, { orNothing: true });
      if (isRefusal(sent)) return sent;
      const now = clock();
      const moment = snoozedMoment(sent.minutes, now);
      if (isRefusal(moment)) return moment;
      const reminder = await snoozeReminder(db, user.id, note_id, moment, now);
      return isRefusal(reminder) ? reminder : { ok: true, remind_at: toTimestamp(reminder.remind_at) };
    },
  }),
];
