import { LanguageDot } from "#app/components/file-rows.tsx";
import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { CalendarDay } from "#domain/calendar.ts";
import { languageLabel } from "#domain/language.ts";

export type LanguageShare = { language: string; count: number };

const BAR_WIDTH = 1000;
const LISTED = 8;

/** How a library divides among languages: a bar to see, and the same in words, as ways into the list. */
export function LanguagesBar({ shares }: { shares: LanguageShare[] }) {
  const text = useText().care;
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const widths = shares.map(({ count }) => (count / total) * BAR_WIDTH);
  const starts = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width, 0));
  return (
    <>
      <svg
        className="languages-bar"
        viewBox={`0 0 ${BAR_WIDTH} 12`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {shares.map(({ language }, i) => (
          <rect
            key={language}
            data-language={language}
            x={starts[i].toFixed(1)}
            width={widths[i].toFixed(1)}
            height="12"
          />
        ))}
      </svg>
      <ul className="languages-list">
        {shares.slice(0, LISTED).map(({ language, count }) => (
          <li key={language}>
            <a href={`/files?lang=${encodeURIComponent(language)}`}>
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

const CELL = 12;
const GAP = 3;

/** The last half year, a column for each week and a square for each day, darker where more was saved. */
export function ActivityCalendar({ weeks }: { weeks: CalendarDay[][] }) {
  const text = useText().care;
  const { locale } = usePage();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const days = weeks.flat();
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const active = days.filter(({ count }) => count > 0).length;
  const [width, height] = [weeks.length * (CELL + GAP) - GAP, 7 * (CELL + GAP) - GAP];
  return (
    <svg
      className="calendar"
      viewBox={`-1 -1 ${width + 2} ${height + 2}`}
      role="img"
      aria-label={text.activity(total, active)}
    >
      {weeks.flatMap((week, x) =>
        week.map(({ day, count, level }, y) => (
          <rect
            key={day}
            className={`day day-${level}`}
            x={x * (CELL + GAP)}
            y={y * (CELL + GAP)}
            width={CELL}
            height={CELL}
            rx="2"
          >
            {count > 0 && <title>{`${date.format(Date.parse(day))}: ${text.files(count)}`}</title>}
          </rect>
        )),
      )}
    </svg>
  );
}
