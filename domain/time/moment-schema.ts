import { z } from "zod";
import { parseExactTimestamp } from "#domain/time/timestamp.ts";

/** A moment as text of ISO 8601 with its time and offset, read to the millisecond. Anything else gets the error. */
export function createMomentSchema(error: string) {
  const written = z
    .string(error)
    .meta({ description: "A moment in ISO 8601, with its time and its offset." });
  return written.transform((text, context) => {
    const moment = parseExactTimestamp(text);
    if (moment) return moment;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}
