import { json, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { ErrorPage, headingOf } from "#app/components/error-page.tsx";
import { Frame } from "#app/components/frame.tsx";
import { LOCALES } from "#app/i18n/locale.ts";
import { textOf } from "#app/i18n/text.ts";
import { titleOf } from "#app/i18n/title.ts";
import { usePage } from "#app/page-context.ts";
import styles from "#app/styles/app.css?url";
import type { Theme } from "#app/theme.ts";

/** What the frame around every page shows. */
export async function loader({ context }: LoaderFunctionArgs) {
  const visitor = context.refusal ? null : await context.visitor();
  return json({
    locale: await context.locale(),
    person: visitor && { first_name: visitor.user.first_name, role: visitor.role },
  });
}

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/icon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/icon-180.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

export const meta: MetaFunction = ({ matches, error }) =>
  titleOf(matches, (text) => (error === undefined ? text.tagline : headingOf(text, statusOf(error))));

// What a browser paints before the first style arrives.
const SCHEMES: Record<Theme, string> = {
  system: "light dark",
  light: "light",
  dark: "dark",
  contrast: "light dark",
};

export function Layout({ children }: { children: ReactNode }) {
  const { locale, theme, nonce, script } = usePage();
  return (
    <html lang={locale} dir={LOCALES[locale].dir} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={SCHEMES[theme]} />
        <meta name="description" content={textOf(locale).tagline} />
        <Meta />
        <Links />
        {script?.preloads.map((href) => (
          <link key={href} rel="modulepreload" href={href} />
        ))}
        {script && <script type="module" nonce={nonce} src={script.src} />}
      </head>
      <body>{children}</body>
    </html>
  );
}

export default function Root() {
  return (
    <Frame shown={useRouteLoaderData<typeof loader>("root")}>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  return (
    <Frame shown={useRouteLoaderData<typeof loader>("root")}>
      <ErrorPage status={statusOf(error)} body={isRouteErrorResponse(error) ? error.data : null} />
    </Frame>
  );
}

function statusOf(error: unknown): number {
  return isRouteErrorResponse(error) ? error.status : 500;
}
