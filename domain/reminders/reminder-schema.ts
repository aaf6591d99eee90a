import { z } from "zod";
import { isRefusal, type Refusal } from "#domain/refusal.ts";
import {
  SNOOZE_DEFAULT_MINUTES,
  SNOOZE_MAX_MINUTES,
  SNOOZE_MIN_MINUTES,
} from "#domain/reminders/reminder-state.ts";
import { isTimeZone, REMINDER_PRESETS, reminderMoment } from "#domain/reminders/reminder-time.ts";
import { required } from "#domain/required.ts";
import { checkBySchema, toRefusalText } from "#domain/schema.ts";
import { createMomentSchema } from "#domain/time/moment-schema.ts";
import { isObject } from "#domain/typed-keys.ts";
import { opaqueId } from "#domain/wire-shapes.ts";

const NOT_AN_OBJECT = "The body is not a JSON object.";

const preset = z
  .enum(REMINDER_PRESETS, toRefusalText("invalid_preset", { allowed: REMINDER_PRESETS }))
  .nullish();
const at = z
  .string(toRefusalText("invalid_time"))
  .nullish()
  .meta({ description: "A wall time: 2026-11-14T09:00" });
const tz = z
  .string(toRefusalText("invalid_timezone"))
  .refine(isTimeZone, toRefusalText("invalid_timezone"))
  .nullish()
  .meta({ description: "A time zone: Asia/Jerusalem" });

const isGiven = (value: unknown) => value !== undefined && value !== null;
const NOT_ONE = toRefusalText("invalid_time", {
  message: "Send either a preset or a time, and only one of them.",
});

/** The time of a reminder: exactly one of a preset and a local time. This is checked before their values. */
export const reminderTime = z.preprocess(
  (input, context) => {
    if (isObject(input) && isGiven(input.preset) === isGiven(input.at))
      context.addIssue({ code: "custom", message: NOT_ONE });
    return input;
  },
  z.object({ tz, preset, at }, NOT_AN_OBJECT).meta({ description: "Either preset or at." }),
);

/** Returns the requested time, in the given time zone or otherwise the person's own. */
export function checkReminderTime(input: unknown, ownZone: string | null, now: Date): Date | Refusal {
  const time = checkBySchema(reminderTime, input);
  return isRefusal(time) ? time : reminderMoment(time, ownZone, now);
}

const NO_NOTE_ID = toRefusalText("invalid_payload", { message: "Send the id of a note.", field: "note_id" });

export const acknowledgement = z.object(
  {
    note_id: z.string(NO_NOTE_ID).min(1).meta(required(opaqueId.meta(), "description of an id")),
    remind_at: createMomentSchema(toRefusalText("invalid_remind_at")).optional(),
  },
  NOT_AN_OBJECT,
);

const minutes = z
  .int(toRefusalText("invalid_minutes"))
  .min(SNOOZE_MIN_MINUTES)
  .max(SNOOZE_MAX_MINUTES)
  .nullish();

export const snooze = z
  .object({ minutes }, NOT_AN_OBJECT)
  .optional()
  .transform((body) => body?.minutes ?? SNOOZE_DEFAULT_MINUTES);
