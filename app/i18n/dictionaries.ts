import { type Dictionary, en } from "#app/i18n/en.ts";
import { he } from "#app/i18n/he.ts";
import type { Locale } from "#domain/locale.ts";

const DICTIONARIES: Record<Locale, Dictionary> = { en, he };

export function getDictionary(locale: Locale): Dictionary {
  return DICTIONARIES[locale];
}
