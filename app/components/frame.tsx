import type { ReactNode } from "react";
import { FlashMessage } from "#app/components/flash-message.tsx";
import { LOCALE_NAMES, LOCALES } from "#app/i18n/locale.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { Role } from "#domain/role.ts";

type Person = { first_name: string; role: Role };
type Shown = { person: Person | null };

/** The bar, the message of the moment and the page. Error pages have it too, even where nothing could be loaded. */
export function Frame({ shown, children }: { shown: Shown | undefined; children: ReactNode }) {
  const text = useText();
  const { flash } = usePage();
  return (
    <>
      <a href="#content">{text.skipToContent}</a>
      <header>
        <a href="/">{text.product}</a>
        <Navigation person={shown?.person ?? null} />
        <LocaleSwitch />
      </header>
      {flash && <FlashMessage flash={flash} />}
      <main id="content">{children}</main>
    </>
  );
}

function Navigation({ person }: { person: Person | null }) {
  const { nav } = useText();
  return (
    <nav aria-label={nav.main}>
      {person ? (
        <ul>
          <li>
            <a href="/dashboard">{nav.dashboard}</a>
          </li>
          <li>
            <a href="/files">{nav.files}</a>
          </li>
          <li>
            <a href="/upload">{nav.upload}</a>
          </li>
          {person.role === "admin" && (
            <li>
              <a href="/admin/jobs">{nav.jobs}</a>
            </li>
          )}
          <li>
            <a href="/logout">{nav.logout}</a>
          </li>
        </ul>
      ) : (
        <ul>
          <li>
            <a href="/login">{nav.login}</a>
          </li>
        </ul>
      )}
    </nav>
  );
}

function LocaleSwitch() {
  const { nav } = useText();
  const { locale } = usePage();
  return (
    <form method="post" action="/preferences" aria-label={nav.language}>
      {LOCALE_NAMES.filter((name) => name !== locale).map((name) => (
        <button key={name} type="submit" name="locale" value={name} lang={name}>
          {LOCALES[name].label}
        </button>
      ))}
    </form>
  );
}
