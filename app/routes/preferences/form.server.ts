import { z } from "zod";
import { READING_VALUES } from "#app/reading.ts";
import { THEMES } from "#app/theme.ts";
import { FILE_SORTS, FILE_VIEWS } from "#domain/files/file.ts";
import { LOCALE_NAMES } from "#domain/locale.ts";

export const preferencesForm = z.object({
  locale: z.enum(LOCALE_NAMES).optional(),
  theme: z.enum(THEMES).optional(),
  file_sort: z.enum(FILE_SORTS).optional(),
  file_view: z.enum(FILE_VIEWS).optional(),
  code_wrap: z.enum(READING_VALUES.code_wrap).optional(),
  code_size: z.enum(READING_VALUES.code_size).optional(),
  tab_width: z.enum(READING_VALUES.tab_width).optional(),
  code_light: z.enum(READING_VALUES.code_light).optional(),
  code_dark: z.enum(READING_VALUES.code_dark).optional(),
  timezone: z.string().optional(),
  shortcuts: z.enum(["on", "off"]).optional(),
  keep_runs: z.enum(["on", "off"]).optional(),
  /** Set if the zone was read from the device: it does not replace a chosen one. */
  detected: z.literal("1").optional(),
  next: z.string().optional(),
});
