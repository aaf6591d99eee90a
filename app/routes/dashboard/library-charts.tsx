import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { languageLabel } from "#domain/files/language.ts";
import { LOCALES, type Locale } from "#domain/locale.ts";
import type { CalendarDay } from "#domain/reminders/calendar.ts";

type LanguageShare = { language: string; count: number };

const BAR_WIDTH = 1000;
const LISTED = 8;

/** The languages of a library: a bar, and the same in words as links into the list of files. */
export function LanguagesBar({ shares }: { shares: LanguageShare[] }) {
  const text = useText().fileActions;
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const widths = shares.map(({ count }) => (count / total) * BAR_WIDTH);
  const starts = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width, 0));
  return (
    <>
      <svg
        className="mirrors languages-bar block full pill"
        viewBox={`0 0 ${BAR_WIDTH} 12`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {shares.map(({ language }, i) => (
          <rect
            key={language}
            data-language={language}
            x={starts[i]?.toFixed(1)}
            width={widths[i]?.toFixed(1)}
            height="12"
          />
        ))}
      </svg>
      <ul className="cluster small baseline above-3 gap-6 rows-1">
        {shares.slice(0, LISTED).map(({ language, count }) => (
          <li key={language}>
            <a className="inline gap-2 reach ink plain" href={`/files?lang=${encodeURIComponent(language)}`}>
              <LanguageDot language={language} />
              <bdi>{languageLabel(language)}</bdi> <span className="soft">{text.files(count)}</span>
            </a>
          </li>
        ))}
        {shares.length > LISTED && <li className="soft">{text.moreLanguages(shares.length - LISTED)}</li>}
      </ul>
    </>
  );
}

/** How strongly each level of a day is drawn; a day without files is drawn otherwise. */
const OPACITIES = [undefined, 0.35, 0.55, 0.75, 1];
const CELL = 12;
const GAP = 3;
const STEP = CELL + GAP;
/** Space above the squares for the names of the months. */
const HEAD = 16;

/** The last six months, with a column for each week and a square for each day. A darker day has more saved files. */
export function ActivityCalendar({ weeks }: { weeks: CalendarDay[][] }) {
  const text = useText().fileActions;
  const { locale } = usePage();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const days = weeks.flat();
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const label = text.activity(total);
  const [width, height] = [weeks.length * STEP - GAP, HEAD + 7 * STEP - GAP];
  // Time runs in the direction of reading.
  const weekToX = (week: number) =>
    LOCALES[locale].dir === "rtl" ? width - CELL - week * STEP : week * STEP;
  return (
    <>
      <svg
        className="calendar block full"
        viewBox={`-1 -1 ${width + 2} ${height + 2}`}
        role="img"
        aria-label={label}
      >
        <MonthNames weeks={weeks} locale={locale} toX={weekToX} />
        {weeks.flatMap((week, x) =>
          week.map(({ day, count, level }, y) => (
            <rect
              key={day}
              opacity={OPACITIES[level]}
              x={weekToX(x)}
              y={HEAD + y * STEP}
              width={CELL}
              height={CELL}
              rx="2"
            >
              {count > 0 && <title>{`${date.format(Date.parse(day))}: ${text.files(count)}`}</title>}
            </rect>
          )),
        )}
      </svg>
      <p className="soft small above-2" aria-hidden="true">
        {label}
      </p>
    </>
  );
}

type MonthsProps = { weeks: CalendarDay[][]; locale: Locale; toX: (week: number) => number };

/** Each name is above the first week that begins in its month, if there is space before the calendar ends. */
function MonthNames({ weeks, locale, toX }: MonthsProps) {
  const month = new Intl.DateTimeFormat(locale, { month: "short", timeZone: "UTC" });
  const isRtl = LOCALES[locale].dir === "rtl";
  return weeks.slice(0, -1).map(([first], week) => {
    if (!first || Number(first.day.slice(8)) > 7) return null;
    return (
      <text key={first.day} x={toX(week) + (isRtl ? CELL : 0)} y={HEAD - 6}>
        {month.format(Date.parse(first.day))}
      </text>
    );
  });
}
