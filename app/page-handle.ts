import type { LinksFunction } from "@remix-run/node";
import { useMatches } from "@remix-run/react";
import type { Dictionary } from "#app/i18n/en.ts";
import type { RoutePolicy } from "#app/web/door/route-policy.ts";

export type RouteHandle = RoutePolicy;

export type PageHandle<Data = never> = RouteHandle & {
  title(text: Dictionary, data: Data | undefined): string;
  /** The oEmbed address, from which other sites learn how to embed the page. */
  oembed?(data: Data | undefined): string | null;
  /** True if new people are welcomed here, which suits start pages and not pages of work. */
  welcomes?: true;
  /** True if the page is only the frame, without anything about its person. */
  isFrameAlone?: true;
};

/** Remix gives a handle no type; all our routes export one of these or none. */
const readHandle = (handle: unknown) => handle as Partial<PageHandle<unknown>> | undefined;

export function useRouteTitle(text: Dictionary): string | undefined {
  const { handle, data } = useMatches().findLast((match) => readHandle(match.handle)?.title) ?? {};
  return readHandle(handle)?.title?.(text, data);
}

export function useOembedAddress(): string | null {
  const { handle, data } = useMatches().at(-1) ?? {};
  return readHandle(handle)?.oembed?.(data) ?? null;
}

export function useIsIndexed(): boolean {
  return readHandle(useMatches().at(-1)?.handle)?.robots === "index";
}

export function useIsWelcoming(): boolean {
  return readHandle(useMatches().at(-1)?.handle)?.welcomes === true;
}

export function useIsFrameAlone(): boolean {
  return readHandle(useMatches().at(-1)?.handle)?.isFrameAlone === true;
}

/** The style sheets of a page, as Remix takes them. */
export const linkSheets =
  (...hrefs: string[]): LinksFunction =>
  () =>
    hrefs.map((href) => ({ rel: "stylesheet", href }));
