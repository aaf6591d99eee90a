import { getDictionary } from "#app/i18n/dictionaries.ts";
import type { Dictionary } from "#app/i18n/en.ts";
import { usePage } from "#app/page-context.ts";
import { getClockFormat } from "#app/web/ui/moment.tsx";
import type { Locale } from "#domain/locale.ts";
import { chooseZone, daysAhead } from "#domain/reminders/reminder-time.ts";

export function useZone(): string {
  return chooseZone(usePage().person?.timezone);
}

/** A time in the person's zone, as people say it: "tomorrow 09:00". */
export function ConcreteTime({ at, words }: { at: string; words?: (time: string) => string }) {
  const time = useConcreteTime()(new Date(at));
  return <time dateTime={at}>{words ? words(time) : time}</time>;
}

export function useConcreteTime(): (moment: Date) => string {
  const { locale, now } = usePage();
  const zone = useZone();
  return (moment) => formatConcreteTime(locale, moment, zone, new Date(now));
}

const NEAR: Record<number, (text: Dictionary["reminders"], time: string) => string> = {
  [-1]: (text, time) => text.yesterday(time),
  0: (text, time) => text.today(time),
  1: (text, time) => text.tomorrow(time),
};
const WEEK_DAYS = 7;

function formatConcreteTime(locale: Locale, moment: Date, zone: string, now: Date): string {
  const text = getDictionary(locale).reminders;
  const away = daysAhead(moment, zone, now);
  const time = getClockFormat(locale, zone, "minutes").format(moment);
  if (NEAR[away]) return NEAR[away](text, time);
  const kind = away > 1 && away < WEEK_DAYS ? "weekday" : "day";
  return text.onDay(getClockFormat(locale, zone, kind).format(moment), time);
}
