import { z } from "zod";
import { parseTimestamp } from "#domain/time/timestamp.ts";

/** A moment as text of ISO 8601, read to the millisecond. Anything else gets the error. */
export function createMomentSchema(error: string) {
  const written = z
    .string(error)
    .meta({ description: "A moment in ISO 8601; in UTC where it has no offset." });
  return written.transform((text, context) => {
    const moment = parseTimestamp(text);
    if (moment) return moment;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}
