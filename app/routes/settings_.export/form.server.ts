import { z } from "zod";

/** The action on the import that the page shows. */
export const importForm = z.object({
  intent: z.enum(["import", "cancel", "drop"]),
  import_id: z.string().max(64),
});
