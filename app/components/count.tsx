import { usePage } from "#app/page-context.ts";

/** A number in the writing of the page's language, its thousands apart. */
export function Count({ of }: { of: number }) {
  return <>{of.toLocaleString(usePage().locale)}</>;
}
