import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { Gauge } from "#app/operators/gauge.tsx";
import { Moment } from "#app/web/ui/moment.tsx";
import { listKeys } from "#domain/typed-keys.ts";
import type { AdminHealth } from "./admin-health.server.ts";

const countAlive = (workers: AdminHealth["workers"]) => workers?.filter(({ alive }) => alive).length ?? null;

/** Says in one sentence whether there is anything to do. An unknown state needs attention, too. */
export function HealthSummary({
  workers,
  indexes,
  alerts,
  failed,
  backups,
}: Pick<AdminHealth, "workers" | "indexes" | "alerts" | "failed" | "backups">) {
  const { gauges, allWell, allWellWithoutBackups, lookAt, isolation } = useText().operators;
  const hasGaps = workers?.some(
    ({ alive, isolation: held }) => alive && held && (held.missing.length > 0 || !held.git),
  );
  const isWell = {
    workers: Boolean(countAlive(workers)),
    failed: failed === 0,
    indexes: indexes === 0,
    alerts: alerts === 0,
  };
  const unwellParts = listKeys(isWell).filter((name) => !isWell[name]);
  const good = backups.enabled ? allWell : allWellWithoutBackups;
  if (unwellParts.length === 0 && !hasGaps) return <p className="below-3">{good}</p>;
  return (
    <p className="below-3">
      {`${lookAt} ${unwellParts.map((name) => gauges[name]).join(", ")}`}
      {hasGaps && unwellParts.length > 0 && ", "}
      {hasGaps && <a href="#isolation">{isolation.title}</a>}
    </p>
  );
}

type GaugesProps = Pick<AdminHealth, "workers" | "backlog" | "indexes" | "alerts" | "failed" | "backups">;

export function Gauges({ workers, backlog, indexes, alerts, failed, backups }: GaugesProps) {
  const text = useText().operators;
  const alive = countAlive(workers);
  const newest = backups.files?.[0];
  const waiting = backlog?.reduce((sum, row) => sum + row.waiting, 0) ?? null;
  const active = backlog?.reduce((sum, row) => sum + row.active, 0) ?? null;
  const oldest = backlog?.flatMap(({ oldest_at }) => oldest_at ?? []).sort()[0];
  return (
    <dl className="gauges stack around-4" aria-label={text.healthHead}>
      <Gauge name={text.gauges.workers} mood={chooseTone(alive, (n) => n > 0)}>
        {alive ?? text.unknown}
      </Gauge>
      <Gauge
        name={text.gauges.failed}
        href="/admin/jobs?tab=failed"
        mood={chooseTone(failed, (n) => n === 0)}
      >
        {failed ?? text.unknown}
      </Gauge>
      <Gauge name={text.gauges.waiting} href="#queues" mood={waiting === null ? "caution" : "plain"}>
        {waiting ?? text.unknown}
      </Gauge>
      <Gauge name={text.gauges.oldest} href="#queues" mood={backlog ? "plain" : "caution"}>
        {oldest ? <Moment at={oldest} /> : backlog ? text.noneWaiting : text.unknown}
      </Gauge>
      <Gauge
        name={text.gauges.running}
        href="/admin/jobs?tab=running"
        mood={active === null ? "caution" : "plain"}
      >
        {active ?? text.unknown}
      </Gauge>
      <Gauge
        name={text.gauges.indexes}
        href="/admin/verify-indexes"
        mood={chooseTone(indexes, (wrong) => wrong === 0)}
      >
        {indexes === null
          ? text.unknown
          : indexes === 0
            ? text.indexes.allPresent
            : text.indexes.wrong(indexes)}
      </Gauge>
      <Gauge
        name={text.gauges.alerts}
        href="/admin/observability#alerts"
        mood={alerts === null || alerts > 0 ? "caution" : "good"}
      >
        {alerts ?? text.unknown}
      </Gauge>
      <Gauge
        name={text.gauges.backup}
        href="#backups"
        mood={newest ? "good" : backups.enabled ? "caution" : "plain"}
      >
        {newest ? <Moment at={newest.created_at} /> : describeLastBackup(backups, text)}
      </Gauge>
    </dl>
  );
}

function describeLastBackup(
  { enabled, files }: AdminHealth["backups"],
  text: Dictionary["operators"],
): string {
  if (!enabled) return text.backups.offShort;
  return files ? text.backups.noneShort : text.unknown;
}

/** An unknown state is shown as a caution, not as an error. */
function chooseTone(figure: number | null, isGood: (figure: number) => boolean) {
  if (figure === null) return "caution";
  return isGood(figure) ? "good" : "wrong";
}
