import type { LinksFunction } from "@remix-run/node";
import { isRouteErrorResponse, Links, Outlet, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { Welcome } from "#app/accounts/greetings.tsx";
import { SessionEnded } from "#app/accounts/session-ended.tsx";
import { SampleForm } from "#app/files/file-actions.tsx";
import { getDictionary } from "#app/i18n/dictionaries.ts";
import { chooseHeading, ErrorPage } from "#app/main/error-page.tsx";
import { Frame } from "#app/main/frame.tsx";
import { type Page, PageContext, usePage } from "#app/page-context.ts";
import {
  useIsFrameAlone,
  useIsIndexed,
  useIsWelcoming,
  useOembedAddress,
  useRouteTitle,
} from "#app/page-handle.ts";
import { toReadingAttributes } from "#app/reading.ts";
import styles from "#app/styles/app.css?url";
import readingStyles from "#app/styles/viewers/reading.css?url";
import type { Theme } from "#app/theme.ts";
import type { KeptForm } from "#app/web/session/kept-form.server.ts";
import { EarlyPageRules } from "#app/web/ui/frame/early-pages.tsx";
import { PageScript } from "#app/web/ui/frame/page-script.tsx";
import { SkippedTransitions } from "#app/web/ui/frame/skipped-transitions.tsx";
import { LOCALES } from "#domain/locale.ts";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icon-180.png" },
  // It is in the visitor's language, which a cookie names.
  { rel: "manifest", href: "/manifest.webmanifest", crossOrigin: "use-credentials" },
];

// Colours that a browser paints before the first style sheet arrives.
const SCHEMES: Record<Theme, string> = {
  system: "light dark",
  light: "light",
  dark: "dark",
  contrast: "light dark",
};

export function Layout({ children }: { children: ReactNode }) {
  const page = usePage();
  const isFrameAlone = useIsFrameAlone();
  return (
    <PageContext.Provider value={isFrameAlone ? removePersonalData(page) : page}>
      <Document>{children}</Document>
    </PageContext.Provider>
  );
}

/** Removes everything about the person and the moment, because the frame is shown later and perhaps to another person. */
function removePersonalData(page: Page): Page {
  const person = page.person && {
    ...page.person,
    ...{ reader: "", first_name: "", role: "regular" as const, due: 0 },
  };
  return { ...page, person, announcement: null, welcome: null, flash: null };
}

function Document({ children }: { children: ReactNode }) {
  const { locale, theme, reading, nonce, person, early } = usePage();
  const text = getDictionary(locale);
  const error = useRouteError();
  const isIndexed = useIsIndexed();
  const title = useRouteTitle(text) ?? text.tagline;
  const oembed = useOembedAddress();
  const chosenReading = toReadingAttributes(reading);
  const hasChosenReading = Object.keys(chosenReading).length > 0;
  return (
    <html lang={locale} dir={LOCALES[locale].dir} data-theme={theme} {...chosenReading}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={SCHEMES[theme]} />
        <meta name="description" content={text.tagline} />
        {!isIndexed && <meta name="robots" content="noindex, nofollow, noarchive" />}
        {/* Before the style sheets, because a script after them would wait for them, and the page for the script. */}
        <SkippedTransitions nonce={nonce} />
        <title>{`${error == null ? title : chooseHeading(text, readErrorStatus(error), readErrorBody(error))} · ${text.product}`}</title>
        <Links />
        {hasChosenReading && <link rel="stylesheet" href={readingStyles} />}
        {oembed && <link rel="alternate" type="application/json+oembed" href={oembed} title={title} />}
        {person && <EarlyPageRules nonce={nonce} />}
        <PageScript />
      </head>
      <body
        data-reader={person?.reader || undefined}
        data-early={early ?? undefined}
        data-time-zone={person ? (person.timezone ?? "") : undefined}
        data-shortcuts={person?.shortcuts === false ? "off" : undefined}
      >
        {children}
      </body>
    </html>
  );
}

export default function Root() {
  const isWelcoming = useIsWelcoming();
  return (
    <Frame>
      {isWelcoming && <Welcome sample={<SampleForm />} />}
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const body = readErrorBody(error);
  const kept: KeptForm | undefined = body?.kept;
  return (
    <Frame isSessionEnded={kept !== undefined}>
      {kept ? <SessionEnded kept={kept} /> : <ErrorPage status={readErrorStatus(error)} body={body} />}
    </Frame>
  );
}

function readErrorBody(error: unknown) {
  return isRouteErrorResponse(error) ? error.data : null;
}

function readErrorStatus(error: unknown): number {
  return isRouteErrorResponse(error) ? error.status : 500;
}
