import { createContext, useContext } from "react";
import { DEFAULT_READING, type Reading } from "#app/reading.ts";
import type { Theme } from "#app/theme.ts";
import type { Early } from "#app/web/door/early-request.ts";
import type { Flash } from "#app/web/session/flash.ts";
import type { Announcement } from "#domain/accounts/announcement.ts";
import type { Role } from "#domain/accounts/role.ts";
import { DEFAULT_LOCALE, type Locale } from "#domain/locale.ts";

export type Person = {
  reader: string;
  first_name: string;
  role: Role;
  /** Null if they have not chosen one. */
  timezone: string | null;
  shortcuts: boolean;
  due: number;
};

/** Known to every component of a page, error pages included. */
export type Page = {
  locale: Locale;
  theme: Theme;
  reading: Reading;
  nonce: string;
  /** The minute of rendering, so that the same data within it gives the same page. */
  now: number;
  requestId: string;
  /** True if the page answers a submitted form. */
  isSending: boolean;
  /** Null if nobody is logged in, undefined if the store did not answer. */
  person: Person | null | undefined;
  announcement: Announcement | null;
  /** The tour of a person's first visits: whether it offers a sample library, and whether the person may run code. */
  welcome: { sample: boolean; run: boolean } | null;
  /** Shown once: only a page that is really rendered takes it. */
  flash: Flash | null;
  early: Early | null;
  script: { src: string; preloads: readonly string[] } | null;
  /** The placeholder of large code; it cannot be guessed. */
  largePlace: string;
};

export const PageContext = createContext<Page>({
  locale: DEFAULT_LOCALE,
  theme: "system",
  reading: DEFAULT_READING,
  nonce: "",
  now: 0,
  requestId: "",
  isSending: false,
  person: undefined,
  announcement: null,
  welcome: null,
  flash: null,
  early: null,
  script: null,
  largePlace: "",
});

export function usePage(): Page {
  return useContext(PageContext);
}
