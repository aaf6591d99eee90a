import { z } from "zod";

/** Creates or replaces the address, or removes it. */
export const feedForm = z.object({ intent: z.enum(["make", "revoke"]) });
