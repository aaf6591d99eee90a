import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { getClockFormat, useTimeZone } from "#app/web/ui/moment.tsx";
import { Table } from "#app/web/ui/table.tsx";
import { DAY_MS } from "#domain/time/durations.ts";

type Point = { at: string; value: number | null };
type ChartProps = {
  name: string;
  points: Point[];
  write: (value: number) => string;
  lowestTop: number;
  /** Halves of the labelled values must be whole numbers, too. */
  whole?: true;
};

const WIDTH = 1000;
const HEIGHT = 100;
const LABELS = 4;

/** A figure over time as a drawing, with its axes as text that does not shrink, and as a table. Time runs left to right. */
export function TimeChart({ name, points, write, lowestTop, whole }: ChartProps) {
  const text = useText().observability;
  const writeMoment = usePointTimeFormat(points);
  const measuredPoints = points.filter((point): point is Point & { value: number } => point.value !== null);
  const highest = Math.max(0, ...measuredPoints.map(({ value }) => value));
  const top = roundUpTop(Math.max(highest, lowestTop), whole ? [2, 4, 6, 10] : [1, 2, 5, 10]);
  const step = WIDTH / Math.max(1, points.length);
  const labelledPoints = Array.from(
    { length: LABELS },
    (_, i) => points[Math.round((i * (points.length - 1)) / (LABELS - 1))],
  );
  return (
    <figure className="card packed gap-2 shrinks flush pad-3">
      <figcaption className="strong">{name}</figcaption>
      <div className="chart-plot tiny numbers soft grid gap-2 rows-1" dir="ltr">
        <div className="to-end flex spread" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{write(value)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={text.chartLabel(name, write(highest))}
        >
          <path d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
          {points.map(({ at, value }, i) =>
            value ? (
              <rect
                key={at}
                x={(i * step).toFixed(2)}
                width={(step * 0.85).toFixed(2)}
                y={(HEIGHT - (value / top) * HEIGHT).toFixed(2)}
                height={((value / top) * HEIGHT).toFixed(2)}
              />
            ) : null,
          )}
        </svg>
        <div className="flex spread" aria-hidden="true">
          {labelledPoints.map(
            (point) =>
              point && (
                <span key={point.at}>
                  <bdi>{writeMoment(point.at)}</bdi>
                </span>
              ),
          )}
        </div>
      </div>
      {measuredPoints.length === 0 ? (
        <p className="soft">{text.quiet}</p>
      ) : (
        <details>
          <summary className="small reach">{text.asTable(name)}</summary>
          <Table name={text.asTable(name)} headings={[text.moment, text.value]}>
            {measuredPoints.toReversed().map(({ at, value }) => (
              <tr key={at}>
                <th scope="row">
                  <time dateTime={at}>{writeMoment(at)}</time>
                </th>
                <td>{write(value)}</td>
              </tr>
            ))}
          </Table>
        </details>
      )}
    </figure>
  );
}

/** Rounds up to the next number that is one of the factors times a power of ten. */
function roundUpTop(value: number, factors: number[]): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return factors.map((factor) => factor * power).find((top) => top >= value) ?? value;
}

function usePointTimeFormat(points: Point[]): (at: string) => string {
  const { locale } = usePage();
  const timeZone = useTimeZone();
  const format = getClockFormat(locale, timeZone, coversDay(points) ? "datedMinutes" : "minutes");
  return (time) => format.format(Date.parse(time));
}

/** True if the points span a day. A point stands for the step that begins with it. */
function coversDay(points: Point[]): boolean {
  const [first, second, last] = [points[0], points[1], points.at(-1)];
  if (!first || !second || !last) return false;
  const stepMs = Date.parse(second.at) - Date.parse(first.at);
  return Date.parse(last.at) + stepMs - Date.parse(first.at) >= DAY_MS;
}
