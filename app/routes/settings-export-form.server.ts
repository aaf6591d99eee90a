import { z } from "zod";

/** What to do with the zip that was looked into. */
export const importForm = z.object({ intent: z.enum(["import", "drop"]), key: z.string().max(64) });
