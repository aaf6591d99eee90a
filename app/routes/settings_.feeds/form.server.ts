import { z } from "zod";

/** Makes the address, also in place of another one, or takes it away. */
export const feedForm = z.object({ intent: z.enum(["make", "revoke"]) });
