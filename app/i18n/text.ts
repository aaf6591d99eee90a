import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { Dictionary } from "#app/i18n/en.ts";
import { usePage } from "#app/page-context.ts";

export function useText(): Dictionary {
  return getDictionary(usePage().locale);
}
