import { z } from "zod";
import { count } from "#domain/wire-shapes.ts";

export { count, line, opaqueId, timestamp } from "#domain/wire-shapes.ts";

/** Small shapes of answers that belong to no noun. */
export const ok = z.literal(true);
export const done = z.object({ ok });
export const removed = z.object({ ok, removed: z.union([count, z.boolean()]) });

export const LIMIT = "How many to return at most.";

const readNumber = (text: unknown) =>
  typeof text === "string" && /^\d{1,9}$/.test(text) ? Number(text) : text;

/** An empty parameter, as forms send it, counts as missing. */
export const optionalParam = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const CURSOR = "Where the page begins: `next_cursor` of the page before. Leave it out for the first page.";
/** The endpoint itself refuses invalid cursors, because each list has its own kind. */
export const cursorParam = optionalParam(z.string()).describe(CURSOR);

export const createNumberParam = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(readNumber, z.int(error).min(min, error).max(max, error));
};

/** Makes the schema of a page's length. Values out of range are clamped to 1 and the maximum. */
export const createLimitParam = (usual: number, max: number) => {
  const error = `must be a whole number from 1 to ${max}`;
  return z
    .preprocess((text) => {
      const isNumber = typeof text === "string" && /^[+-]?\d{1,20}$/.test(text);
      const value = text === "" ? undefined : isNumber ? Number(text) : text;
      return typeof value === "number" ? Math.max(1, Math.min(value, max)) : value;
    }, z.int(error).min(1, error).max(max).default(usual))
    .describe(LIMIT);
};

type DocumentedNumber = { minimum: number; maximum?: number; default?: number };

/** Makes the schema of a number that its endpoint parses itself, because it refuses bad ones with a code of its own. */
export const createNumberText = (documented: DocumentedNumber) =>
  z
    .string()
    .optional()
    .meta({ type: "integer", ...documented });

export const flagParam = z.enum(["0", "1"]).optional();
