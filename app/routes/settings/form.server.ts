import { z } from "zod";
import { parseTimestamp } from "#domain/time/timestamp.ts";

/** The instructions, and the time of those that the writer saw; empty if there were none. */
export const instructionsForm = z.object({
  instructions: z.string(),
  seen: z
    .string()
    .default("")
    .transform((text) => (text === "" ? null : parseTimestamp(text))),
});
