import { makeEventDueAgain } from "#db/reminders/push/push-events.server.ts";
import type { JobHandler } from "#worker/job.ts";
import { createEventDeliveries } from "#worker/push/event-deliveries.ts";
import { sendDuePushes } from "#worker/push/sweep.ts";

/** Notifies people of what other services did for them. With an event in the payload, it is sent again after it was given up. */
export const pushEvents: JobHandler<"push_events"> = async (work) => {
  const { event_id } = work.payload;
  if (event_id !== undefined && !(await makeEventDueAgain(work.services.db, event_id)))
    work.writeLog(`push_event ${event_id}: nothing is to be sent again`);
  return sendDuePushes(work, createEventDeliveries);
};
