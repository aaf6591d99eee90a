import { useMatches } from "@remix-run/react";
import type { Dictionary } from "#app/i18n/en.ts";

/** What a route exports as its `handle`: its title in the visitor's words. The root writes it into the page. */
export type Titled<Data = never> = { title(text: Dictionary, data: Data | undefined): string };

/** The title of the innermost route that has one; undefined where none has. */
export function useRouteTitle(text: Dictionary): string | undefined {
  const titled = useMatches().findLast(({ handle }) => handle !== undefined);
  return (titled?.handle as Titled<unknown> | undefined)?.title(text, titled?.data);
}
