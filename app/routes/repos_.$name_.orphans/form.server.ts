import { z } from "zod";

/** Where the notes of a lost path go. */
export const reattachForm = z.object({ from: z.string(), path: z.string().trim() });

export type TypedReattach = z.output<typeof reattachForm>;
