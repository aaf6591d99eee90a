import { z } from "zod";

export const runForm = z.object({ intent: z.enum(["retry", "cancel", "dismiss", "restore"]) });
