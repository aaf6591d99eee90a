import { z } from "zod";

/** The shapes that all nouns share on the wire. */
export const opaqueId = z.string().meta({ description: "An opaque id, 24 hex digits today." });
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  .meta({ id: "Timestamp", format: "date-time", description: "A moment in UTC, to the millisecond." });
export const count = z.int().min(0);
export const line = z.int().min(1);
