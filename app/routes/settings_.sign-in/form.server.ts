import { z } from "zod";

export const signInForm = z.object({ intent: z.literal("part"), key: z.string().max(1500) });
