import { useText } from "#app/i18n/text.ts";
import { ALERT_STATUSES } from "#domain/alerts/alert.ts";
import { SEVERITIES } from "#domain/events/severity.ts";
import { AlertRows } from "./alert-rows.tsx";
import type { ObservabilityPage } from "./observability-view.server.ts";
import { buildAddress, PAGE } from "./page-address.ts";

type AlertSectionProps = Pick<
  ObservabilityPage,
  "query" | "alerts" | "lasting" | "now" | "pages" | "older" | "explanation"
>;

export function AlertSection({ query, alerts, lasting, now, pages, older, explanation }: AlertSectionProps) {
  const { observability: text, files } = useText();
  const isFiltered = Boolean(query.severity || query.status || query.search);
  const position = query.page > 1 ? { page: String(query.page), after: query.after } : {};
  const explainAddress = (uid: string) => buildAddress(query, { ...position, explain: uid }, `#alert-${uid}`);
  return (
    <section className="section" id="alerts">
      <div className="section-head">
        <h2>{text.alerts}</h2>
      </div>
      {lasting.length > 0 && !isFiltered && (
        <>
          <h3>{text.lasting}</h3>
          <AlertRows alerts={lasting} now={now} explanation={explanation} explainAddress={explainAddress} />
        </>
      )}
      <AlertFilter query={query} />
      {alerts.length > 0 ? (
        <AlertRows alerts={alerts} now={now} explanation={explanation} explainAddress={explainAddress} />
      ) : (
        <p className="soft">{isFiltered ? text.noneFit : text.noAlerts}</p>
      )}
      {pages > 1 && (
        <nav className="pager screen-only" aria-label={files.pages}>
          {query.page > 1 && (
            <a
              className="button"
              href={buildAddress(
                query,
                { page: query.page > 2 ? String(query.page - 1) : undefined },
                "#alerts",
              )}
            >
              {text.newer}
            </a>
          )}
          <span>{text.pageNumber(query.page, pages)}</span>
          {older && (
            <a
              className="button"
              href={buildAddress(query, { page: String(query.page + 1), after: older }, "#alerts")}
            >
              {text.older}
            </a>
          )}
        </nav>
      )}
    </section>
  );
}

function AlertFilter({ query }: Pick<ObservabilityPage, "query">) {
  const text = useText().observability;
  const fields: [string, string | undefined][] = query.chosen
    ? Object.entries(query.chosen)
    : [["timerange", query.timerange]];
  return (
    <form className="toolbar below-3" method="get" action={`${PAGE}#alerts`}>
      {fields.map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />)}
      {!query.refresh && <input type="hidden" name="refresh" value="off" />}
      <label className="grid gap-1 small">
        <span>{text.severity}</span>
        <select className="input" name="severity" defaultValue={query.severity ?? ""}>
          <option value="">{text.anySeverity}</option>
          {SEVERITIES.map((severity) => (
            <option key={severity} value={severity}>
              {text.severities[severity]}
            </option>
          ))}
        </select>
      </label>
      <label className="grid gap-1 small">
        <span>{text.status}</span>
        <select className="input" name="status" defaultValue={query.status ?? ""}>
          <option value="">{text.anySeverity}</option>
          {ALERT_STATUSES.map((status) => (
            <option key={status} value={status}>
              {text.statuses[status]}
            </option>
          ))}
        </select>
      </label>
      <label className="grid gap-1 small">
        <span>{text.search}</span>
        <input
          className="input"
          type="search"
          name="search"
          dir="auto"
          maxLength={200}
          defaultValue={query.search}
        />
      </label>
      <button className="button" type="submit">
        {text.filter}
      </button>
      {(query.severity || query.status || query.search) && (
        <a
          className="button button-quiet"
          href={buildAddress(query, { severity: undefined, status: undefined, search: undefined })}
        >
          {text.clear}
        </a>
      )}
    </form>
  );
}
