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

/** Remix gives a handle no type; all our routes export one of these, or none. */
const readHandle = (handle: unknown) => handle as Partial<PageHandle<unknown>> | undefined;

/** The title of the innermost route that has one; undefined where none has. */
export function useRouteTitle(text: Dictionary): string | undefined {
  const { handle, data } = useMatches().findLast((match) => readHandle(match.handle)?.title) ?? {};
  return readHandle(handle)?.title?.(text, data);
}

/** The innermost route's address of oEmbed; null where it has none. */
export function useOembedAddress(): string | null {
  const { handle, data } = useMatches().at(-1) ?? {};
  return readHandle(handle)?.oembed?.(data) ?? null;
}

/** Whether search engines may list the page. */
export function useIsIndexed(): boolean {
  return readHandle(useMatches().at(-1)?.handle)?.robots === "index";
}

export function useIsWelcoming(): boolean {
  return readHandle(useMatches().at(-1)?.handle)?.welcomes === true;
}

export function useIsFrameAlone(): boolean {
  return readHandle(useMatches().at(-1)?.handle)?.isFrameAlone === true;
}
