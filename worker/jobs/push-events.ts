import { rearmEvent } from "#db/push/push-events.server.ts";
import type { JobHandler } from "#worker/job.ts";
import { createEventDeliveries } from "#worker/push/event-deliveries.ts";
import { sweep } from "#worker/push/sweep.ts";

/** Tells people's devices what other services did for them; what was given up where the payload names it. */
export const pushEvents: JobHandler<"push_events"> = async (work) => {
  const { event_id } = work.payload;
  if (event_id !== undefined && !(await rearmEvent(work.services.db, event_id)))
    work.writeLog(`push_event ${event_id}: nothing is to be sent again`);
  return sweep(work, createEventDeliveries);
};
