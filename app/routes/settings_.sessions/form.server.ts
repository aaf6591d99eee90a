import { z } from "zod";

/** Ends one credential, all other sessions, or everything that gives access to the account. */
export const sessionsForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("end"), key: z.string().max(200) }),
  z.object({ intent: z.literal("end_others") }),
  z.object({ intent: z.literal("end_all") }),
]);
