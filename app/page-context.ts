import { createContext, useContext } from "react";
import type { Early } from "#app/http/door/early-request.ts";
import type { Flash } from "#app/http/session/flash.ts";
import { DEFAULT_READING, type Reading } from "#app/reading.ts";
import type { Theme } from "#app/theme.ts";
import type { Announcement } from "#domain/accounts/announcement.ts";
import type { Role } from "#domain/accounts/role.ts";
import { DEFAULT_LOCALE, type Locale } from "#domain/locale.ts";

/** Who is logged in, as far as a page shows it. */
export type Person = {
  /** A name for them that says nothing, under which this browser keeps what is theirs. */
  reader: string;
  first_name: string;
  role: Role;
  /** The zone of the times they read; null where they have not said. */
  timezone: string | null;
  /** Whether single keys do things. */
  shortcuts: boolean;
  /** How many of their reminders are due. */
  due: number;
};

/** What every component may know about the page it is rendered into, error pages included. */
export type Page = {
  locale: Locale;
  theme: Theme;
  /** How source text is shown. */
  reading: Reading;
  nonce: string;
  /** The minute the page is made in; a page of the same minute made from the same is the same page. */
  now: number;
  requestId: string;
  /** Whether it answers something that was sent, such as a form. */
  isSending: boolean;
  /** Who is logged in; null for nobody, undefined where the store did not answer. */
  person: Person | null | undefined;
  /** The announcement, unless this person has dismissed it. */
  announcement: Announcement | null;
  /** The short tour of a person's first visits, whether it offers a sample library, and whether this person may run code. */
  welcome: { sample: boolean; run: boolean } | null;
  /** Said once: it is taken only by a page that is really made. */
  flash: Flash | null;
  /** How the browser fetches it before anybody asked for it. */
  early: Early | null;
  /** The script that adds behaviour to a page that already works. */
  script: { src: string; preloads: readonly string[] } | null;
  /** Stands before the name of each piece of large code where it goes. Nobody can guess it. */
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
