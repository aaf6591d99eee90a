import { type Reading, readReading } from "#app/reading.ts";
import { isTheme, type Theme } from "#app/theme.ts";
import { cookieName } from "#app/web/session/cookies.ts";
import { FILE_SORTS, FILE_VIEWS, type FileSort, type FileView } from "#domain/files/file.ts";
import { isLocale, type Locale } from "#domain/locale.ts";
import { hasItem } from "#domain/typed-keys.ts";

/** Reads the language chosen in this browser, by anyone who uses it. */
export function chosenLocale(cookies: Map<string, string>, secure: boolean): Locale | null {
  const locale = cookies.get(cookieName("locale", { secure }));
  return isLocale(locale) ? locale : null;
}

export function chosenFileSort(cookies: Map<string, string>, secure: boolean): FileSort | null {
  const sort = cookies.get(cookieName("file_sort", { secure }));
  return hasItem(FILE_SORTS, sort) ? sort : null;
}

export function chosenFileView(cookies: Map<string, string>, secure: boolean): FileView {
  const view = cookies.get(cookieName("file_view", { secure }));
  return hasItem(FILE_VIEWS, view) ? view : "rows";
}

export function chosenReading(cookies: Map<string, string>, secure: boolean): Reading {
  return readReading((name) => cookies.get(cookieName(name, { secure })));
}

export function chosenTheme(cookies: Map<string, string>, secure: boolean): Theme {
  const theme = cookies.get(cookieName("theme", { secure }));
  return isTheme(theme) ? theme : "system";
}
