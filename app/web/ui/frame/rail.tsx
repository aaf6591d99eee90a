import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";
import type { Role } from "#domain/accounts/role.ts";

type NavigationItem = {
  href: string;
  icon: IconName;
  name: (nav: Dictionary["nav"], text: Dictionary) => string;
};

const PLACES: readonly NavigationItem[] = [
  { href: "/dashboard", icon: "home", name: (nav) => nav.dashboard },
  { href: "/files", icon: "files", name: (nav) => nav.files },
  { href: "/files?category=recent", icon: "clock", name: (nav) => nav.recent },
  { href: "/files?category=favorites", icon: "star", name: (nav) => nav.favorites },
  { href: "/files?category=pinned", icon: "pin", name: (nav) => nav.pinned },
  { href: "/repos", icon: "repo", name: (nav) => nav.repos },
  { href: "/notes", icon: "note", name: (nav) => nav.notes },
  { href: "/boards", icon: "board", name: (nav) => nav.boards },
  { href: "/tools/code", icon: "code", name: (nav) => nav.codeTools },
  { href: "/shares", icon: "share", name: (nav) => nav.shares },
  { href: "/trash", icon: "trash", name: (nav) => nav.trash },
];

const ADMIN_PLACES: readonly NavigationItem[] = [
  { href: "/admin", icon: "gauge", name: (_, { operators }) => operators.title },
  { href: "/admin/jobs", icon: "clock", name: (nav) => nav.jobs },
  { href: "/admin/observability", icon: "alert", name: (_, { operators }) => operators.nav.observability },
  { href: "/admin/verify-indexes", icon: "key", name: (_, { operators }) => operators.nav.indexes },
  { href: "/admin/announcements", icon: "announce", name: (nav) => nav.announcements },
  { href: "/admin/users", icon: "people", name: (nav) => nav.people },
];

/** Pages that search finds by name but the rail does not list. */
const MORE_PLACES: readonly NavigationItem[] = [
  { href: "/reminders", icon: "bell", name: (_, { reminders }) => reminders.title },
  { href: "/settings", icon: "settings", name: (nav) => nav.settings },
  { href: "/offline", icon: "offline", name: (_, { offline }) => offline.nav },
];

export function usePlaces(): { href: string; icon: IconName; name: string }[] {
  const text = useText();
  const { person } = usePage();
  const places = [...PLACES, ...MORE_PLACES, ...(person?.role === "admin" ? ADMIN_PLACES : [])];
  return places.map(({ name, ...place }) => ({ ...place, name: name(text.nav, text) }));
}

/** The main navigation: beside the page, or in a menu of the bar on small screens. `children` are the filters of the page. */
export function Rail({ role, children }: { role: Role; children: ReactNode }) {
  const { nav } = useText();
  return (
    <nav className="rail screen-only" aria-label={nav.main}>
      <Places role={role}>{children}</Places>
    </nav>
  );
}

export function RailMenu({ role }: { role: Role }) {
  const { nav } = useText();
  return (
    <details className="menu rail-menu">
      <summary>
        <Icon name="menu" />
        <span className="visually-hidden">{nav.menu}</span>
      </summary>
      <nav className="surface menu-sheet" aria-label={nav.main}>
        <Places role={role} />
      </nav>
    </details>
  );
}

function Places({ role, children }: { role: Role; children?: ReactNode }) {
  return (
    <div>
      <PlaceList places={PLACES} />
      {children}
      {role === "admin" && <PlaceList places={ADMIN_PLACES} />}
    </div>
  );
}

function PlaceList({ places }: { places: readonly NavigationItem[] }) {
  const text = useText();
  const currentPlace = usePlace();
  return (
    <ul className="rail-list grid">
      {places.map(({ href, icon, name }) => (
        <li key={href}>
          <a className="rail-link" href={href} aria-current={chooseAriaCurrent(href, currentPlace)}>
            <Icon name={icon} />
            {name(text.nav, text)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Returns `aria-current`: "page" for the place itself, "true" for a page below it. */
function chooseAriaCurrent(href: string, currentPlace: string): "page" | "true" | undefined {
  if (currentPlace === href) return "page";
  return href !== "/admin" && currentPlace.startsWith(`${href}/`) ? "true" : undefined;
}

/** Returns the current place. The list of one category is a place of its own; any other filter of the list is not. */
function usePlace(): string {
  const { pathname, search } = useLocation();
  const category = pathname === "/files" ? new URLSearchParams(search).get("category") : null;
  const categoryHref = `${pathname}?category=${category}`;
  return PLACES.some(({ href }) => href === categoryHref) ? categoryHref : pathname;
}
