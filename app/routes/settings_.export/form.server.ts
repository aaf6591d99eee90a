import { z } from "zod";

export const importForm = z.object({
  intent: z.enum(["import", "cancel", "drop"]),
  import_id: z.string().max(64),
});
