import { parseReading, type Reading } from "#app/reading.ts";
import { isTheme, type Theme } from "#app/theme.ts";
import { toCookieName } from "#app/web/session/cookies.ts";
import { FILE_SORTS, FILE_VIEWS, type FileSort, type FileView } from "#domain/files/file.ts";
import { isLocale, type Locale } from "#domain/locale.ts";
import { hasItem } from "#domain/typed-keys.ts";

/** Reads the language chosen in this browser, by anyone who uses it. */
export function readLocaleChoice(cookies: Map<string, string>, secure: boolean): Locale | null {
  const locale = cookies.get(toCookieName("locale", { secure }));
  return isLocale(locale) ? locale : null;
}

export function readFileSortChoice(cookies: Map<string, string>, secure: boolean): FileSort | null {
  const sort = cookies.get(toCookieName("file_sort", { secure }));
  return hasItem(FILE_SORTS, sort) ? sort : null;
}

export function readFileViewChoice(cookies: Map<string, string>, secure: boolean): FileView {
  const view = cookies.get(toCookieName("file_view", { secure }));
  return hasItem(FILE_VIEWS, view) ? view : "rows";
}

export function readReadingChoice(cookies: Map<string, string>, secure: boolean): Reading {
  return parseReading((name) => cookies.get(toCookieName(name, { secure })));
}

export function readThemeChoice(cookies: Map<string, string>, secure: boolean): Theme {
  const theme = cookies.get(toCookieName("theme", { secure }));
  return isTheme(theme) ? theme : "system";
}
