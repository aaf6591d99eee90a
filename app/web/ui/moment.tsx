import { writeDuration } from "#app/i18n/duration.ts";
import { usePage } from "#app/page-context.ts";
import { LOCALE_NAMES, type Locale } from "#domain/locale.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "#domain/time/durations.ts";
import { mapKeys } from "#domain/typed-keys.ts";

// A distance below the first number is written in the unit beside it. All times within a minute read the same, so that a page does not
// change when it is reloaded.
const UNITS = [
  [MINUTE_SECONDS, "second", MINUTE_SECONDS],
  [HOUR_SECONDS, "minute", MINUTE_SECONDS],
  [DAY_SECONDS, "hour", HOUR_SECONDS],
  [30 * DAY_SECONDS, "day", DAY_SECONDS],
] as const;

/** The distance to a time, or the date beyond a month. `inSeconds` distinguishes times within the last minute. */
export function Moment({ at, inSeconds = false }: { at: string; inSeconds?: boolean }) {
  const { locale } = usePage();
  const timeZone = useTimeZone();
  return (
    <time dateTime={at} title={formatExactly(locale, at, timeZone)}>
      {formatDistance(locale, at, Date.now(), { timeZone, inSeconds })}
    </time>
  );
}

export function DateText({ at }: { at: string }) {
  const { locale } = usePage();
  const timeZone = useTimeZone();
  return (
    <time dateTime={at} title={formatExactly(locale, at, timeZone)}>
      {getClockFormat(locale, timeZone, "mediumDay").format(Date.parse(at))}
    </time>
  );
}

/** A duration; empty if it is zero. */
export function DurationText({ from, to }: { from: string; to: string }) {
  const { locale } = usePage();
  const ms = Date.parse(to) - Date.parse(from);
  return ms > 0 ? <bdi>{writeDuration(locale, ms)}</bdi> : null;
}

export function useTimeZone(): string {
  return usePage().person?.timezone ?? "UTC";
}

/** The time of day in the reader's zone, with the day for `dated` kinds. */
export function ClockTime({ at, kind }: { at: string; kind: keyof typeof CLOCKS }) {
  const { locale } = usePage();
  const timeZone = useTimeZone();
  return <time dateTime={at}>{getClockFormat(locale, timeZone, kind).format(Date.parse(at))}</time>;
}

const TO_SECOND = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
const CLOCKS = {
  seconds: TO_SECOND,
  milliseconds: { ...TO_SECOND, fractionalSecondDigits: 3 },
  dated: { ...TO_SECOND, day: "numeric", month: "short" },
  minutes: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  datedMinutes: { hour: "2-digit", minute: "2-digit", hourCycle: "h23", day: "numeric", month: "short" },
  weekday: { weekday: "long" },
  day: { day: "numeric", month: "short", year: "numeric" },
  mediumDay: { dateStyle: "medium" },
  exact: { dateStyle: "medium", timeStyle: "long", hourCycle: "h23" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

// Creating a format costs more than a row of a list. There are about 600 zones, so the cache stays small.
const clocks = new Map<string, Intl.DateTimeFormat>();

export function getClockFormat(
  locale: Locale,
  timeZone: string,
  kind: keyof typeof CLOCKS,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${kind}`;
  const format = clocks.get(key) ?? new Intl.DateTimeFormat(locale, { ...CLOCKS[kind], timeZone });
  clocks.set(key, format);
  return format;
}

const RELATIVE = mapKeys(LOCALE_NAMES, (locale) => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));

type DistanceOptions = { timeZone?: string; inSeconds?: boolean };

export function formatDistance(
  locale: Locale,
  at: string,
  now: number,
  { timeZone = "UTC", inSeconds = false }: DistanceOptions = {},
): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const unit = UNITS.find(([below]) => Math.abs(seconds) < below);
  if (!unit) return getClockFormat(locale, timeZone, "mediumDay").format(Date.parse(at));
  const relative = RELATIVE[locale];
  if (inSeconds && unit[1] === "second") return relative.format(seconds, "second");
  // The Hebrew format writes one and two as words and repeats the number in brackets, which is removed.
  return relative.format(Math.trunc(seconds / unit[2]), unit[1]).replace(/ \([12]\)$/, "");
}

export function formatExactly(locale: Locale, at: string, timeZone: string): string {
  return getClockFormat(locale, timeZone, "exact").format(Date.parse(at));
}
