import { z } from "zod";

export const feedForm = z.object({ intent: z.enum(["make", "revoke"]) });
