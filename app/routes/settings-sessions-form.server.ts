import { z } from "zod";

/** Ends the session it names, or all but the one that asks. */
export const sessionsForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("end"), key: z.string().max(64) }),
  z.object({ intent: z.literal("end_others") }),
]);
