import { z } from "zod";

/** Ends the credential it names, every session but the one that asks, or everything that opens the account. */
export const sessionsForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("end"), key: z.string().max(200) }),
  z.object({ intent: z.literal("end_others") }),
  z.object({ intent: z.literal("end_all") }),
]);
