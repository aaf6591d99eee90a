import { z } from "zod";
import { FILE_SORTS, FILES_LIMIT_MAX, FILES_PAGE_SIZE } from "#domain/file.ts";

/** What `/files` and its JSON twin take. An empty parameter, as a form sends it, is none. */
const optionalText = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional();

export const fileQuery = z.object({
  lang: optionalText,
  sort: z.enum(FILE_SORTS).default("created_at_desc"),
  cursor: optionalText,
  limit: z
    .string()
    .regex(/^\d{1,9}$/, "must be a number")
    .transform((text) => Math.min(Math.max(Number(text), 1), FILES_LIMIT_MAX))
    .default(FILES_PAGE_SIZE),
});

/** A page shows its first page rather than an error for a value nobody typed by hand. */
export function fileQueryOfPage(url: URL): z.output<typeof fileQuery> {
  const { limit: _, ...given } = Object.fromEntries(url.searchParams);
  return fileQuery.safeParse(given).data ?? fileQuery.parse({});
}
