import { z } from "zod";

export const reattachForm = z.object({ from: z.string(), path: z.string().trim() });

export type TypedReattach = z.output<typeof reattachForm>;
