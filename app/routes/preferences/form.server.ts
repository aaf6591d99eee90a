import { z } from "zod";
import { THEMES } from "#app/theme.ts";
import { LOCALE_NAMES } from "#domain/locale.ts";

export const preferencesForm = z.object({
  locale: z.enum(LOCALE_NAMES).optional(),
  theme: z.enum(THEMES).optional(),
  timezone: z.string().optional(),
  shortcuts: z.enum(["on", "off"]).optional(),
  keep_runs: z.enum(["on", "off"]).optional(),
  /** The zone was read from the device: it does not replace one that the person chose. */
  detected: z.literal("1").optional(),
  next: z.string().optional(),
});
