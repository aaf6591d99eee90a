import { z } from "zod";
import { parseExactTimestamp } from "#domain/time/timestamp.ts";

/** Parses an ISO 8601 text with a time and an offset, to the millisecond. All other values get the error. */
export function createMomentSchema(error: string) {
  const momentText = z
    .string(error)
    .meta({ description: "A moment in ISO 8601, with its time and its offset." });
  return momentText.transform((text, context) => {
    const moment = parseExactTimestamp(text);
    if (moment) return moment;
    context.addIssue({ code: "custom", message: error });
    return z.NEVER;
  });
}
