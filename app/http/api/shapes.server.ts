import { z } from "zod";
import { count } from "#domain/wire-shapes.ts";

export { count, line, opaqueId, timestamp } from "#domain/wire-shapes.ts";

/** The smallest shapes that answers are made of, besides those of the nouns themselves. */
export const ok = z.literal(true);
export const done = z.object({ ok });
export const removed = z.object({ ok, removed: z.union([count, z.boolean()]) });
