import { z } from "zod";

/** The folder or the file whose preview was shown. */
export const importForm = z.object({ path: z.string().default("") });
