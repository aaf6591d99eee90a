import { listKeys } from "#domain/typed-keys.ts";

/** The languages of the product: own name, English name and direction. */
export const LOCALES = {
  en: { label: "English", englishName: "English", dir: "ltr" },
  he: { label: "עברית", englishName: "Hebrew", dir: "rtl" },
} as const;

export type Locale = keyof typeof LOCALES;

export const DEFAULT_LOCALE: Locale = "en";
export const LOCALE_NAMES = listKeys(LOCALES);

export function isLocale(text: unknown): text is Locale {
  return typeof text === "string" && Object.hasOwn(LOCALES, text);
}

/** Returns the supported language that a browser prefers most; `iw` is Hebrew's old code. */
export function negotiateLocale(acceptLanguage: string): Locale {
  const ranked = acceptLanguage
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.trim().toLowerCase().split(";");
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean);
      return {
        language: tag.replace(/-.*/s, "").replace(/^iw$/, "he"),
        weight: q === undefined ? 1 : Number(q),
      };
    })
    .filter(({ language, weight }) => isLocale(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const preferred = ranked[0]?.language;
  return isLocale(preferred) ? preferred : DEFAULT_LOCALE;
}
