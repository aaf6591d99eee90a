import { z } from "zod";

/** Which of a note's texts comes back, named by the last moment it was the note's. */
export const notePastForm = z.object({ at: z.coerce.number().int() });
