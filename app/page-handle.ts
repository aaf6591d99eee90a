import { useMatches } from "@remix-run/react";
import type { RoutePolicy } from "#app/http/door/route-policy.ts";
import type { Dictionary } from "#app/i18n/en.ts";

/** What a route exports as its `handle`: what the door holds its requests to. */
export type RouteHandle = RoutePolicy;

/** The handle of a route that shows a page: also its title, in the visitor's words. */
export type PageHandle<Data = never> = RouteHandle & {
  title(text: Dictionary, data: Data | undefined): string;
  /** The address from which other sites learn how to embed the page. */
  oembed?(data: Data | undefined): string | null;
  /** Whether somebody who is new is welcomed here: where people begin, and not where they work. */
  welcomes?: true;
  /** Whether the page is the frame alone, which says nothing of the person it is made for. */
  isFrameAlone?: true;
};

/** The title of the innermost route that has one; undefined where none has. */
export function useRouteTitle(text: Dictionary): string | undefined {
  const titled = useMatches().findLast(({ handle }) => (handle as Partial<PageHandle> | undefined)?.title);
  return (titled?.handle as PageHandle<unknown> | undefined)?.title(text, titled?.data);
}

/** The innermost route's address of oEmbed; null where it has none. */
export function useOembedAddress(): string | null {
  const { handle, data } = useMatches().at(-1) ?? {};
  return (handle as Partial<PageHandle<unknown>> | undefined)?.oembed?.(data) ?? null;
}

/** Whether search engines may list the page. */
export function useIsIndexed(): boolean {
  return (useMatches().at(-1)?.handle as RouteHandle | undefined)?.robots === "index";
}

export function useIsWelcoming(): boolean {
  return (useMatches().at(-1)?.handle as Partial<PageHandle> | undefined)?.welcomes === true;
}

export function useIsFrameAlone(): boolean {
  return (useMatches().at(-1)?.handle as Partial<PageHandle> | undefined)?.isFrameAlone === true;
}
