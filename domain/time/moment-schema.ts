import { z } from "zod";
import { parseTimestamp } from "#domain/time/timestamp.ts";

/** A moment as text of ISO 8601, read to the millisecond. What is none has the error. */
export function createMomentSchema(error: string) {
  return z.string(error).transform((text, context) => {
    const moment = parseTimestamp(text);
    if (moment) return moment;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}
