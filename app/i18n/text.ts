import { type Dictionary, en } from "#app/i18n/en.ts";
import { he } from "#app/i18n/he.ts";
import type { Locale } from "#app/i18n/locale.ts";
import { usePage } from "#app/page-context.ts";

const DICTIONARIES: Record<Locale, Dictionary> = { en, he };

export function getDictionary(locale: Locale): Dictionary {
  return DICTIONARIES[locale];
}

/** The words of the page that is being rendered, in its visitor's language. */
export function useText(): Dictionary {
  return getDictionary(usePage().locale);
}
