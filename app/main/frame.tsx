import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { AnnouncementBanner } from "#app/accounts/greetings.tsx";
import { DisplayMenu, PersonMenu } from "#app/accounts/person-menu.tsx";
import { RailFacets } from "#app/files/list/rail-facets.tsx";
import { useText } from "#app/i18n/text.ts";
import { FlashMessage } from "#app/main/flash-message.tsx";
import { type Person, usePage } from "#app/page-context.ts";
import { Bell } from "#app/reminders/bell.tsx";
import { DropOverlay } from "#app/web/ui/drop-overlay.tsx";
import { OfflineSign } from "#app/web/ui/frame/offline-sign.tsx";
import { Rail, RailMenu } from "#app/web/ui/frame/rail.tsx";
import { SearchBox } from "#app/web/ui/frame/search-box.tsx";
import { Icon, ProductLogo } from "#app/web/ui/icon.tsx";
import { isFolderId } from "#domain/files/folders/folder-tree.ts";

/** The bar, the message and the page. Error pages have it too, even if nothing could be loaded. */
export function Frame({
  isSessionEnded = false,
  children,
}: {
  /** The page shows a form that was sent after its session had ended. */
  isSessionEnded?: boolean;
  children: ReactNode;
}) {
  const text = useText();
  const { flash, person } = usePage();
  return (
    <>
      <a className="skip-link screen-only round" href="#content">
        {text.skipToContent}
      </a>
      <Bar person={person} isSessionEnded={isSessionEnded} />
      <AnnouncementBanner />
      {flash && (
        <div className="notices screen-only grid">
          <FlashMessage flash={flash} />
        </div>
      )}
      <div className={person ? "frame grid column frame-railed" : "frame grid column"}>
        {person && (
          <Rail role={person.role}>
            <RailFacets />
          </Rail>
        )}
        <main className="page full" id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      {person && <OfflineSign />}
      {person && <DropOverlay />}
    </>
  );
}

/** If the database is away, the person is unknown, so the bar offers no login. */
function Bar({ person, isSessionEnded }: { person: Person | null | undefined; isSessionEnded: boolean }) {
  const text = useText();
  return (
    <header className="bar screen-only line-up gap-2 raised edge-below">
      {person && <RailMenu role={person.role} />}
      <a className="brand inline gap-2 target ink large bold plain" href={person ? "/dashboard" : "/"}>
        <ProductLogo />
        <span className={person ? "words-if-wide" : undefined}>{text.product}</span>
      </a>
      {person && <BarSearch />}
      {person ? <NewFileLink /> : person === null && (isSessionEnded ? <LoginAgainLink /> : <LoginLink />)}
      {person && <Bell due={person.due} />}
      {person ? <PersonMenu person={person} /> : <DisplayMenu />}
    </header>
  );
}

function BarSearch() {
  const { pathname, search } = useLocation();
  if (pathname === "/search") return <div className="search-box shrinks" />;
  return <SearchBox query={pathname === "/files" ? (new URLSearchParams(search).get("q") ?? "") : ""} />;
}

/** On the page of a folder, the new file goes into that folder. */
function NewFileLink() {
  const { nav } = useText();
  const { pathname, search } = useLocation();
  const folder = pathname === "/files" ? new URLSearchParams(search).get("folder") : null;
  const address = folder && isFolderId(folder) ? `/upload?folder=${folder}` : "/upload";
  return (
    <a className="button button-primary bar-button" href={address}>
      <Icon name="plus" />
      <span>{nav.upload}</span>
    </a>
  );
}

function LoginLink() {
  const { nav } = useText();
  const { pathname } = useLocation();
  if (pathname === "/login") return null;
  return (
    <a className="button bar-button" href="/login">
      {nav.login}
    </a>
  );
}

/** Leads back to the form. It opens a new tab, because the page with the text has to stay open without a script that stores drafts. */
function LoginAgainLink() {
  const { nav } = useText();
  const { pathname, search } = useLocation();
  return (
    <a
      className="button bar-button"
      href={`/login?next=${encodeURIComponent(pathname + search)}`}
      target="_blank"
      rel="noopener"
      data-login-again
    >
      {nav.login}
    </a>
  );
}
