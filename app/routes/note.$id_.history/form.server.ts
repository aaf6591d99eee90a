import { z } from "zod";

/** The earlier text to restore, named by the last time that the note had it. */
export const notePastForm = z.object({ at: z.coerce.number().int() });
