import { z } from "zod";

/** The destination of the notes of a lost path. */
export const reattachForm = z.object({ from: z.string(), path: z.string().trim() });

export type TypedReattach = z.output<typeof reattachForm>;
