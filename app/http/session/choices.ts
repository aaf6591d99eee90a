import { cookieName } from "#app/http/session/cookies.ts";
import { isTheme, type Theme } from "#app/theme.ts";
import { isLocale, type Locale } from "#domain/locale.ts";

/** What was chosen in this browser, by anybody: the language, null where none was chosen, and the theme. */
export function chosenLocale(cookies: Map<string, string>, secure: boolean): Locale | null {
  const locale = cookies.get(cookieName("locale", { secure }));
  return isLocale(locale) ? locale : null;
}

export function chosenTheme(cookies: Map<string, string>, secure: boolean): Theme {
  const theme = cookies.get(cookieName("theme", { secure }));
  return isTheme(theme) ? theme : "system";
}
