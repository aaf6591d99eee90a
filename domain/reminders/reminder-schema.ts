import { z } from "zod";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import {
  SNOOZE_DEFAULT_MINUTES,
  SNOOZE_MAX_MINUTES,
  SNOOZE_MIN_MINUTES,
} from "#domain/reminders/reminder-state.ts";
import { isTimeZone, REMINDER_PRESETS, reminderMoment } from "#domain/reminders/reminder-time.ts";
import { required } from "#domain/required.ts";
import { checkBySchema, refuseWith } from "#domain/schema.ts";
import { createMomentSchema } from "#domain/time/moment-schema.ts";
import { isObject } from "#domain/typed-keys.ts";
import { opaqueId } from "#domain/wire-shapes.ts";

/** Requests about reminders, for the API and the forms alike. */
const NOT_AN_OBJECT = "The body is not a JSON object.";

const preset = z
  .enum(REMINDER_PRESETS, refuseWith("invalid_preset", { allowed: REMINDER_PRESETS }))
  .nullish();
const at = z
  .string(refuseWith("invalid_time"))
  .nullish()
  .meta({ description: "A wall time: 2026-11-14T09:00" });
const tz = z
  .string(refuseWith("invalid_timezone"))
  .refine(isTimeZone, refuseWith("invalid_timezone"))
  .nullish()
  .meta({ description: "A time zone: Asia/Jerusalem" });

const isGiven = (value: unknown) => value !== undefined && value !== null;
const NOT_ONE = refuseWith("invalid_time", {
  message: "Send either a preset or a time, and only one of them.",
});

/** A time to be reminded at: exactly one of a preset and a local time, which is looked at before what they say. */
export const reminderTime = z.preprocess(
  (given, context) => {
    if (isObject(given) && isGiven(given.preset) === isGiven(given.at))
      context.addIssue({ code: "custom", message: NOT_ONE });
    return given;
  },
  z.object({ tz, preset, at }, NOT_AN_OBJECT).meta({ description: "Either preset or at." }),
);

/** The requested moment, in the zone given, else in the person's own. */
export function checkReminderTime(given: unknown, ownZone: string | null, now: Date): Date | Refusal {
  const time = checkBySchema(reminderTime, given);
  return isRefusal(time) ? time : reminderMoment(time, ownZone, now);
}

const noNoteId = refuseWith("invalid_payload", { message: "Send the id of a note.", field: "note_id" });

export const acknowledgement = z.object(
  {
    note_id: z.string(noNoteId).min(1).meta(required(opaqueId.meta(), "description of an id")),
    remind_at: createMomentSchema(refuseWith("invalid_remind_at")).optional(),
  },
  NOT_AN_OBJECT,
);

const minutes = z
  .int(refuseWith("invalid_minutes"))
  .min(SNOOZE_MIN_MINUTES)
  .max(SNOOZE_MAX_MINUTES)
  .nullish();

/** By how many minutes a reminder is put off, by the usual number where none is sent. */
export const snooze = z
  .object({ minutes }, NOT_AN_OBJECT)
  .optional()
  .transform((given) => given?.minutes ?? SNOOZE_DEFAULT_MINUTES);
