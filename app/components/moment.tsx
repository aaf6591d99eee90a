import { usePage } from "#app/page-context.ts";

/** A moment in the visitor's language, in UTC, with the exact timestamp for machines. */
export function Moment({ at }: { at: string }) {
  const { locale } = usePage();
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
