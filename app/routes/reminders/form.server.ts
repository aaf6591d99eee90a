import { z } from "zod";
import { ensureFileNote } from "#app/reminders/file-reminder.server.ts";
import type { WebServices } from "#app/web/request-context.ts";
import type { Flash } from "#app/web/session/flash.ts";
import type { SignedIn } from "#app/web/session/session.ts";
import type { Db } from "#db/client.ts";
import { setNoteReminder } from "#db/reminders/note-reminders.server.ts";
import { removeReminderOfNote } from "#db/reminders/notes/deleted-notes.server.ts";
import {
  acknowledgeReminder,
  findReminder,
  type Reminder,
  reopenReminder,
  snoozeReminder,
} from "#db/reminders/reminders.server.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkReminderTime, snooze } from "#domain/reminders/reminder-schema.ts";
import { computeSnoozeEnd } from "#domain/reminders/reminder-state.ts";
import { sameSitePath } from "#domain/same-site-path.ts";
import { checkBySchema } from "#domain/schema.ts";
import { parseTimestamp, toTimestamp } from "#domain/time/timestamp.ts";

/** Long enough to return any wrong entry to its form, and short enough for an address. */
const TYPED_MAX = 500;

/** Each form about a reminder sends an intent; a button that sets a time appends it (`set:1h`, `snooze:60`). */
export const reminderForm = z.object({
  intent: z.string().max(40),
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
  argument: string;
  now: Date;
};
type Verb = (change: ReminderChange) => Promise<Flash | Refusal>;

type RemindedFlash = Extract<Flash, { say: "reminded" }>;

const toFlash = (reminder: Reminder | Refusal, what: "set" | "done"): RemindedFlash | Refusal =>
  isRefusal(reminder)
    ? reminder
    : { say: "reminded", what, note_id: reminder.note_id, at: reminder.remind_at.getTime() };

/** Sets a time. A file gets its note only if the time is valid. */
async function setReminder(
  { services, user, form, noteId, now }: ReminderChange,
  time: Record<string, unknown>,
): Promise<Flash | Refusal> {
  const moment = checkReminderTime(time, user.timezone, now);
  if (isRefusal(moment)) return moment;
  const note = form.file ? await ensureFileNote(services, user.id, form.file, now) : { id: noteId };
  if (isRefusal(note)) return note;
  const { db } = services;
  return setWithUndo(db, user.id, note.id, () => setNoteReminder(db, user.id, note.id, moment, now));
}

/** Sets a time, and offers to restore the previous one or to remove a new reminder. */
async function setWithUndo(
  db: Db,
  ownerId: string,
  noteId: string,
  setTime: () => Promise<Reminder | Refusal>,
): Promise<Flash | Refusal> {
  const before = await findReminder(db, ownerId, noteId);
  const outcome = toFlash(await setTime(), "set");
  if (isRefusal(outcome)) return outcome;
  return { ...outcome, before: before?.status === "pending" ? toTimestamp(before.remind_at) : null };
}

const VERBS: Record<string, Verb> = {
  set: (change) => setReminder(change, { preset: change.argument }),
  at: (change) => setReminder(change, { at: change.form.at, tz: change.form.tz?.trim() || null }),
  snooze: async ({ services: { db }, user, noteId, argument, now }) => {
    const minutes = checkBySchema(snooze, { minutes: Number(argument) });
    if (isRefusal(minutes)) return minutes;
    const moment = computeSnoozeEnd(minutes, now);
    return setWithUndo(db, user.id, noteId, () => snoozeReminder(db, user.id, noteId, moment, now));
  },
  back: async ({ services: { db }, user, form, noteId, now }) => {
    const moment = parseTimestamp(form.remind_at);
    if (!moment) return Refusal("invalid_remind_at");
    return toFlash(await snoozeReminder(db, user.id, noteId, moment, now), "set");
  },
  done: async ({ services: { db }, user, form, noteId, now }) => {
    const moment = parseTimestamp(form.remind_at);
    if (form.remind_at !== undefined && !moment) return Refusal("invalid_remind_at");
    return toFlash(await acknowledgeReminder(db, user.id, noteId, moment, now), "done");
  },
  reopen: async ({ services: { db }, user, noteId, now }) =>
    toFlash(await reopenReminder(db, user.id, noteId, now), "set"),
  remove: async ({ services: { db }, user, noteId, now }) => {
    const note = await removeReminderOfNote(db, user.id, noteId, now);
    return { say: "reminded", what: "removed", note_id: note?.id };
  },
};

export async function applyReminderAction(
  services: WebServices,
  user: SignedIn["user"],
  form: ReminderForm,
): Promise<Flash | Refusal> {
  const [name = "", argument = ""] = form.intent.split(":");
  const verb = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!verb) return Refusal("invalid_payload", { field: "intent" });
  return verb({ services, user, form, noteId: form.note_id ?? "", argument, now: services.clock() });
}

const ALL_REMINDERS = "/reminders";

/** True if the page belongs to a note that was removed along with its reminder. */
const isPageOfRemovedNote = (path: string, flash: Flash) =>
  flash.say === "reminded" &&
  flash.what === "removed" &&
  flash.note_id !== undefined &&
  new URL(path, "http://here.invalid").pathname.includes(flash.note_id);

/** Returns the page that the form was on. The page of a refused time gets the time back, to be corrected. */
export function choosePageAfterAction(form: ReminderForm, outcome: Flash | Refusal): string {
  const next = sameSitePath(form.next, ALL_REMINDERS);
  if (!isRefusal(outcome)) return isPageOfRemovedNote(next, outcome) ? ALL_REMINDERS : next;
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
