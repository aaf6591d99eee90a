import { makePushDueAgain } from "#db/reminders/reminder-pushes.server.ts";
import type { JobHandler } from "#worker/job.ts";
import { createReminderDeliveries } from "#worker/push/reminder-deliveries.ts";
import { sendDuePushes } from "#worker/push/sweep.ts";

/** Sends due reminders to all devices of their people. With a note in the payload, its reminder is sent again after it was given up. */
export const reminderPush: JobHandler<"reminder_push"> = async (work) => {
  const { note_id } = work.payload;
  const { db, clock } = work.services;
  if (note_id !== undefined && !(await makePushDueAgain(db, note_id, clock())))
    work.writeLog(`note ${note_id}: no reminder is to be sent again`);
  return sendDuePushes(work, createReminderDeliveries);
};
