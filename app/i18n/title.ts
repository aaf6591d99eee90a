import { useMatches } from "@remix-run/react";
import type { Dictionary } from "#app/i18n/en.ts";

/** What a route exports as its `handle`: its title in the visitor's words, and whether search engines are to leave it alone. */
export type PageHandle<Data = never> = {
  title(text: Dictionary, data: Data | undefined): string;
  noindex?: true;
};

/** The title of the innermost route that has one; undefined where none has. */
export function useRouteTitle(text: Dictionary): string | undefined {
  const titled = useMatches().findLast(({ handle }) => handle !== undefined);
  return (titled?.handle as PageHandle<unknown> | undefined)?.title(text, titled?.data);
}

export function useNoindex(): boolean {
  return useMatches().some(({ handle }) => (handle as PageHandle | undefined)?.noindex === true);
}
