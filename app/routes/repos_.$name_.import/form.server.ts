import { z } from "zod";

/** The folder or file of the preview. */
export const importForm = z.object({ path: z.string().default("") });
