import { rearmPush } from "#db/reminders/reminder-pushes.server.ts";
import type { JobHandler } from "#worker/job.ts";
import { createReminderDeliveries } from "#worker/push/reminder-deliveries.ts";
import { sweep } from "#worker/push/sweep.ts";

/** Sends the reminders whose moment has come to all devices of their people; one that was given up where the payload names its note. */
export const reminderPush: JobHandler<"reminder_push"> = async (work) => {
  const { note_id } = work.payload;
  const { db, clock } = work.services;
  if (note_id !== undefined && !(await rearmPush(db, note_id, clock())))
    work.writeLog(`note ${note_id}: no reminder is to be sent again`);
  return sweep(work, createReminderDeliveries);
};
