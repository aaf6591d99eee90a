import type { JobHandler } from "#worker/job.ts";
import { createReminderDeliveries } from "#worker/push/reminder-deliveries.ts";
import { sweep } from "#worker/push/sweep.ts";

/** Sends the reminders whose moment has come to all devices of their people. */
export const reminderPush: JobHandler<"reminder_push"> = (work) => sweep(work, createReminderDeliveries);
