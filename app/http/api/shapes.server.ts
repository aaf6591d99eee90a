import { z } from "zod";
import { count } from "#domain/wire-shapes.ts";

export { count, line, opaqueId, timestamp } from "#domain/wire-shapes.ts";

/** The smallest shapes that answers are made of, besides those of the nouns themselves. */
export const ok = z.literal(true);
export const done = z.object({ ok });
export const removed = z.object({ ok, removed: z.union([count, z.boolean()]) });

/** How many are answered at most: from 1; more than the most there may be is that. */
export const limitParam = (usual: number, max: number) =>
  z
    .string()
    .regex(/^(?!0+$)\d{0,9}$/, `must be a whole number from 1 to ${max}`)
    .transform((text) => (text === "" ? usual : Math.min(Number(text), max)))
    .default(usual);
