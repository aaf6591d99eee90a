import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import type { Mood } from "#app/operators/gauge.tsx";
import { SEVERITIES, type Severity } from "#domain/events/severity.ts";
import type { ObservabilityPage } from "./observability-view.server.ts";
import { buildAddress } from "./page-address.ts";

const MOODS: Partial<Record<Severity, Mood>> = {
  critical: "wrong",
  error: "wrong",
  anomaly: "caution",
  warn: "caution",
};

type AlertTilesProps = Pick<ObservabilityPage, "query" | "counts"> & { events: number };

export function AlertTiles({ query, counts, events }: AlertTilesProps) {
  const text = useText().observability;
  const worstFirst = SEVERITIES.toReversed();
  const total = worstFirst.reduce((sum, severity) => sum + counts[severity], 0);
  // The important severities are always shown; others only if they have alerts.
  const shownSeverities = worstFirst.filter((severity) => severity in MOODS || counts[severity] > 0);
  const narrow = (severity: Severity | undefined) =>
    buildAddress(query, { severity, search: undefined, status: undefined }, "#alerts");
  return (
    <nav className="gauges stack around-4" aria-label={text.counters.alerts}>
      <Tile name={text.counters.alerts} count={total} href={narrow(undefined)} isChosen={!query.severity} />
      {shownSeverities.map((severity) => (
        <Tile
          key={severity}
          name={text.severities[severity]}
          count={counts[severity]}
          href={narrow(severity)}
          isChosen={query.severity === severity}
          mood={counts[severity] > 0 ? MOODS[severity] : "good"}
        />
      ))}
      <Tile
        name={text.counters.total}
        count={events}
        href={buildAddress(query, { replay: "on" }, "#replay")}
      />
    </nav>
  );
}

type TileProps = { name: string; count: number; href: string; isChosen?: boolean; mood?: Mood };

function Tile({ name, count, href, isChosen = false, mood = "plain" }: TileProps) {
  return (
    <a
      className={`card gauge gap-1 pad-3 gauge-${mood} lights-up ink plain grid`}
      href={href}
      aria-current={isChosen ? "true" : undefined}
    >
      <span className="small soft">{name}</span>
      <span className="bold large numbers">{amount(count)}</span>
    </a>
  );
}
