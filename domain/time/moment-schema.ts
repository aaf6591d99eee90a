import { z } from "zod";
import { parseTimestamp } from "#domain/time/timestamp.ts";

const WITH_TIME_AND_OFFSET = /[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** A moment as text of ISO 8601 with its time and offset, read to the millisecond. Anything else gets the error. */
export function createMomentSchema(error: string) {
  const written = z
    .string(error)
    .meta({ description: "A moment in ISO 8601, with its time and its offset." });
  return written.transform((text, context) => {
    const moment = WITH_TIME_AND_OFFSET.test(text) ? parseTimestamp(text) : null;
    if (moment) return moment;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}
