import { z } from "zod";

export const signInForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("part"), key: z.string().max(1500) }),
  z.object({
    intent: z.literal("add_passkey"),
    name: z.string().max(1000).default(""),
    credential: z.string().max(64 * 1024),
  }),
]);
