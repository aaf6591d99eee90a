import type { Dictionary } from "#app/i18n/en.ts";
import { DEFAULT_LOCALE, isLocale } from "#app/i18n/locale.ts";
import { textOf } from "#app/i18n/text.ts";

type Matches = readonly ({ id: string; data?: unknown } | undefined)[];

/** A page's title, in the language the root found for its visitor. */
export function titleOf(matches: Matches, words: (text: Dictionary) => string): { title: string }[] {
  const root = matches.find((match) => match?.id === "root")?.data as { locale?: unknown } | undefined;
  const text = textOf(isLocale(root?.locale) ? root.locale : DEFAULT_LOCALE);
  return [{ title: `${words(text)} · ${text.product}` }];
}
