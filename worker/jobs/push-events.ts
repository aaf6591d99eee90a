import type { JobHandler } from "#worker/job.ts";
import { createEventDeliveries } from "#worker/push/event-deliveries.ts";
import { sweep } from "#worker/push/sweep.ts";

/** Tells people's devices what other services did for them. */
export const pushEvents: JobHandler<"push_events"> = (work) => sweep(work, createEventDeliveries);
