import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { Dictionary } from "#app/i18n/en.ts";
import { usePage } from "#app/page-context.ts";

/** The words of the rendered page, in its visitor's language. */
export function useText(): Dictionary {
  return getDictionary(usePage().locale);
}
