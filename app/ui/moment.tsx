import { writeDuration } from "#app/i18n/duration.ts";
import { usePage } from "#app/page-context.ts";
import type { Locale } from "#domain/locale.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "#domain/time/durations.ts";

// A distance below the first number is written in the unit beside it. Everything below a minute is written alike, so that a
// page that is loaded again does not change.
const UNITS = [
  [MINUTE_SECONDS, "second", MINUTE_SECONDS],
  [HOUR_SECONDS, "minute", MINUTE_SECONDS],
  [DAY_SECONDS, "hour", HOUR_SECONDS],
  [30 * DAY_SECONDS, "day", DAY_SECONDS],
] as const;

/**
 * How far away a moment is, with the exact one on hover and for machines. Beyond a month it is written as a date. `inSeconds` tells
 * moments of the last minute apart, where "now" would say too little.
 */
export function Moment({ at, inSeconds = false }: { at: string; inSeconds?: boolean }) {
  const { locale } = usePage();
  const timeZone = useTimeZone();
  return (
    <time dateTime={at} title={exactly(locale, at, timeZone)}>
      {distance(locale, at, Date.now(), { timeZone, inSeconds })}
    </time>
  );
}

/** A date to come or gone, written as a day, with the exact moment on hover. */
export function Day({ at }: { at: string }) {
  const { locale } = usePage();
  const timeZone = useTimeZone();
  return (
    <time dateTime={at} title={exactly(locale, at, timeZone)}>
      {getFormats(locale, timeZone).date.format(Date.parse(at))}
    </time>
  );
}

/** How long something took; empty if it took no time. */
export function Span({ from, to }: { from: string; to: string }) {
  const { locale } = usePage();
  const ms = Date.parse(to) - Date.parse(from);
  return ms > 0 ? <bdi>{writeDuration(locale, ms)}</bdi> : null;
}

/** The reader's time zone; UTC if they have not chosen one. */
export function useTimeZone(): string {
  return usePage().person?.timezone ?? "UTC";
}

/** The moment itself in the reader's time zone: the time of day, with the day where `dated`. */
export function Clock({ at, kind }: { at: string; kind: keyof typeof CLOCKS }) {
  const { locale } = usePage();
  const timeZone = useTimeZone();
  return <time dateTime={at}>{getClock(locale, timeZone, kind).format(Date.parse(at))}</time>;
}

const TO_SECOND = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
const CLOCKS = {
  seconds: TO_SECOND,
  milliseconds: { ...TO_SECOND, fractionalSecondDigits: 3 },
  dated: { ...TO_SECOND, day: "numeric", month: "short" },
  minutes: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  datedMinutes: { hour: "2-digit", minute: "2-digit", hourCycle: "h23", day: "numeric", month: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const clocks = new Map<string, Intl.DateTimeFormat>();

export function getClock(locale: Locale, timeZone: string, kind: keyof typeof CLOCKS): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${kind}`;
  const known = clocks.get(key) ?? new Intl.DateTimeFormat(locale, { ...CLOCKS[kind], timeZone });
  clocks.set(key, known);
  return known;
}

type DistanceOptions = { timeZone?: string; inSeconds?: boolean };

export function distance(
  locale: Locale,
  at: string,
  now: number,
  { timeZone = "UTC", inSeconds = false }: DistanceOptions = {},
): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const unit = UNITS.find(([below]) => Math.abs(seconds) < below);
  const { relative, date } = getFormats(locale, timeZone);
  if (!unit) return date.format(Date.parse(at));
  if (inSeconds && unit[1] === "second") return relative.format(seconds, "second");
  // The Hebrew format writes words for one and two and then repeats the number in brackets, which is removed.
  return relative.format(Math.trunc(seconds / unit[2]), unit[1]).replace(/ \([12]\)$/, "");
}

export function exactly(locale: Locale, at: string, timeZone: string): string {
  return getFormats(locale, timeZone).exact.format(Date.parse(at));
}

type Formats = {
  relative: Intl.RelativeTimeFormat;
  date: Intl.DateTimeFormat;
  exact: Intl.DateTimeFormat;
};

// Formats are cached, because making one costs more than rendering a row of a list.
const made = new Map<string, Formats>();

function getFormats(locale: Locale, timeZone: string): Formats {
  const key = `${locale} ${timeZone}`;
  const known = made.get(key);
  if (known) return known;
  const formats = {
    relative: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }),
    exact: new Intl.DateTimeFormat(locale, {
      dateStyle: "medium",
      timeStyle: "long",
      hourCycle: "h23",
      timeZone,
    }),
  };
  made.set(key, formats);
  return formats;
}
