import { z } from "zod";
import type { SignedIn, WebServices } from "#app/http/request-context.ts";
import type { Flash } from "#app/http/session/flash.ts";
import { makeFileNote } from "#app/reminders/file-reminder.server.ts";
import type { Db } from "#db/client.ts";
import { removeReminderOfNote } from "#db/notes/deleted-notes.server.ts";
import { remindOfNote } from "#db/reminders/note-reminders.server.ts";
import {
  acknowledgeReminder,
  findReminder,
  type Reminder,
  reopenReminder,
  snoozeReminder,
} from "#db/reminders/reminders.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkReminderTime, snooze } from "#domain/reminders/reminder-schema.ts";
import { snoozedMoment } from "#domain/reminders/reminder-state.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { checkBySchema } from "#domain/schema.ts";
import { parseTimestamp, toTimestamp } from "#domain/time/timestamp.ts";

/** More than anybody types, so that what is typed wrongly goes back to its form, and little enough for an address. */
const TYPED_MAX = 500;

/** Every form about a reminder says its intent; a button that sets a time adds it (`set:1h`, `snooze:60`). */
export const reminderForm = z.object({
  intent: z.string().max(40),
  /** The note of the reminder, or the file that gets a note for it. */
  note_id: z.string().max(60).optional(),
  file: z.string().max(60).optional(),
  remind_at: z.string().max(60).optional(),
  at: z.string().max(TYPED_MAX).optional(),
  tz: z.string().max(TYPED_MAX).optional(),
  next: z.string().optional(),
});

type ReminderForm = z.output<typeof reminderForm>;
type ReminderChange = {
  services: WebServices;
  user: SignedIn["user"];
  form: ReminderForm;
  noteId: string;
  more: string;
  now: Date;
};
type Verb = (change: ReminderChange) => Promise<Flash | Refusal>;

type Reminded = Extract<Flash, { say: "reminded" }>;

const said = (reminder: Reminder | Refusal, what: "set" | "done"): Reminded | Refusal =>
  isRefusal(reminder)
    ? reminder
    : { say: "reminded", what, note_id: reminder.note_id, at: reminder.remind_at.getTime() };

/** A file gets its note once the time is known to be right. */
async function set(
  { services, user, form, noteId, now }: ReminderChange,
  time: Record<string, unknown>,
): Promise<Flash | Refusal> {
  const moment = checkReminderTime(time, user.timezone, now);
  if (isRefusal(moment)) return moment;
  const note = form.file ? await makeFileNote(services, user.id, form.file, now) : { id: noteId };
  if (isRefusal(note)) return note;
  const { db } = services;
  return undoably(db, user.id, note.id, () => remindOfNote(db, user.id, note.id, moment, now));
}

/** Sets a time, and offers to bring back the one before, or to remove a reminder that was not there. */
async function undoably(
  db: Db,
  ownerId: string,
  noteId: string,
  setTime: () => Promise<Reminder | Refusal>,
): Promise<Flash | Refusal> {
  const before = await findReminder(db, ownerId, noteId);
  const outcome = said(await setTime(), "set");
  if (isRefusal(outcome)) return outcome;
  return { ...outcome, before: before?.status === "pending" ? toTimestamp(before.remind_at) : null };
}

const VERBS: Record<string, Verb> = {
  set: (change) => set(change, { preset: change.more }),
  at: (change) => set(change, { at: change.form.at, tz: change.form.tz?.trim() || null }),
  snooze: async ({ services: { db }, user, noteId, more, now }) => {
    const minutes = checkBySchema(snooze, { minutes: Number(more) });
    if (isRefusal(minutes)) return minutes;
    const moment = snoozedMoment(minutes, now);
    return undoably(db, user.id, noteId, () => snoozeReminder(db, user.id, noteId, moment, now));
  },
  back: async ({ services: { db }, user, form, noteId, now }) => {
    const moment = parseTimestamp(form.remind_at);
    if (!moment) return Refusal("invalid_remind_at");
    return said(await snoozeReminder(db, user.id, noteId, moment, now), "set");
  },
  done: async ({ services: { db }, user, form, noteId, now }) => {
    const moment = parseTimestamp(form.remind_at);
    if (form.remind_at !== undefined && !moment) return Refusal("invalid_remind_at");
    return said(await acknowledgeReminder(db, user.id, noteId, moment, now), "done");
  },
  reopen: async ({ services: { db }, user, noteId, now }) =>
    said(await reopenReminder(db, user.id, noteId, now), "set"),
  remove: async ({ services: { db }, user, noteId, now }) => {
    const note = await removeReminderOfNote(db, user.id, noteId, now);
    return { say: "reminded", what: "removed", note_id: note?.id };
  },
};

export async function remind(
  services: WebServices,
  user: SignedIn["user"],
  form: ReminderForm,
): Promise<Flash | Refusal> {
  const [name = "", more = ""] = form.intent.split(":");
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!verb) return Refusal("invalid_payload", { field: "intent" });
  return verb({ services, user, form, noteId: form.note_id ?? "", more, now: services.clock() });
}

const ALL_REMINDERS = "/reminders";

/** A note that went with its reminder took its pages along. */
const isOfRemovedNote = (path: string, flash: Flash) =>
  flash.say === "reminded" &&
  flash.what === "removed" &&
  flash.note_id !== undefined &&
  new URL(path, "http://here.invalid").pathname.includes(flash.note_id);

/** Back to where the form was. A time that was typed and refused goes back to be corrected. */
export function pageAfter(form: ReminderForm, outcome: Flash | Refusal): string {
  const next = sameSitePath(form.next, ALL_REMINDERS);
  if (!isRefusal(outcome)) return isOfRemovedNote(next, outcome) ? ALL_REMINDERS : next;
  if (form.intent !== "at") return next;
  const typed = new URLSearchParams({
    at: form.at ?? "",
    tz: form.tz ?? "",
    next: sameSitePath(form.next, ""),
  });
  const page = form.file
    ? `/file/${encodeURIComponent(form.file)}/reminder`
    : `/reminders/${encodeURIComponent(form.note_id ?? "")}`;
  return `${page}?${typed}`;
}
