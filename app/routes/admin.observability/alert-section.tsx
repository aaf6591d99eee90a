import { useText } from "#app/i18n/text.ts";
import { ALERT_STATUSES } from "#domain/alerts/alert.ts";
import { SEVERITIES } from "#domain/events/severity.ts";
import { AlertRows } from "./alert-rows.tsx";
import type { ObservabilityPage } from "./observability-view.server.ts";
import { buildAddress, PAGE } from "./page-address.ts";

type AlertSectionProps = Pick<
  ObservabilityPage,
  "asked" | "alerts" | "lasting" | "now" | "pages" | "older" | "explanation"
>;

export function AlertSection({ asked, alerts, lasting, now, pages, older, explanation }: AlertSectionProps) {
  const { observability: text, files } = useText();
  const filtered = Boolean(asked.severity || asked.status || asked.search);
  const here = asked.page > 1 ? { page: String(asked.page), after: asked.after } : {};
  const explainAddress = (uid: string) => buildAddress(asked, { ...here, explain: uid }, `#alert-${uid}`);
  return (
    <section className="section" id="alerts">
      <div className="section-head">
        <h2>{text.alerts}</h2>
      </div>
      {lasting.length > 0 && !filtered && (
        <>
          <h3>{text.lasting}</h3>
          <AlertRows alerts={lasting} now={now} explanation={explanation} explainAddress={explainAddress} />
        </>
      )}
      <AlertFilter asked={asked} />
      {alerts.length > 0 ? (
        <AlertRows alerts={alerts} now={now} explanation={explanation} explainAddress={explainAddress} />
      ) : (
        <p className="soft">{filtered ? text.noneFit : text.noAlerts}</p>
      )}
      {pages > 1 && (
        <nav className="pager" aria-label={files.pages}>
          {asked.page > 1 && (
            <a
              className="button"
              href={buildAddress(
                asked,
                { page: asked.page > 2 ? String(asked.page - 1) : undefined },
                "#alerts",
              )}
            >
              {text.newer}
            </a>
          )}
          <span>{text.pageOf(asked.page, pages)}</span>
          {older && (
            <a
              className="button"
              href={buildAddress(asked, { page: String(asked.page + 1), after: older }, "#alerts")}
            >
              {text.older}
            </a>
          )}
        </nav>
      )}
    </section>
  );
}

function AlertFilter({ asked }: Pick<ObservabilityPage, "asked">) {
  const text = useText().observability;
  const kept: [string, string | undefined][] = asked.chosen
    ? Object.entries(asked.chosen)
    : [["timerange", asked.timerange]];
  return (
    <form className="toolbar alert-filter" method="get" action={`${PAGE}#alerts`}>
      {kept.map(([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />)}
      {!asked.refresh && <input type="hidden" name="refresh" value="off" />}
      <label>
        <span>{text.severity}</span>
        <select className="input" name="severity" defaultValue={asked.severity ?? ""}>
          <option value="">{text.anySeverity}</option>
          {SEVERITIES.map((severity) => (
            <option key={severity} value={severity}>
              {text.severities[severity]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{text.status}</span>
        <select className="input" name="status" defaultValue={asked.status ?? ""}>
          <option value="">{text.anySeverity}</option>
          {ALERT_STATUSES.map((status) => (
            <option key={status} value={status}>
              {text.statuses[status]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{text.search}</span>
        <input
          className="input"
          type="search"
          name="search"
          dir="auto"
          maxLength={200}
          defaultValue={asked.search}
        />
      </label>
      <button className="button" type="submit">
        {text.filter}
      </button>
      {(asked.severity || asked.status || asked.search) && (
        <a
          className="button button-quiet"
          href={buildAddress(asked, { severity: undefined, status: undefined, search: undefined })}
        >
          {text.clear}
        </a>
      )}
    </form>
  );
}
