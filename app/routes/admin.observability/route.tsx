import {
  type ActionFunctionArgs,
  type HeadersFunction,
  json,
  type LinksFunction,
  type LoaderFunctionArgs,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Fragment } from "react";
import { wantsPage } from "#app/http/answers/accept.ts";
import { done, refused } from "#app/http/answers/replies.server.ts";
import { readForm } from "#app/http/door/body.server.ts";
import { refererPath } from "#app/http/door/referer.ts";
import { requireAdmin } from "#app/http/session/gates.server.ts";
import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { Gauge } from "#app/operators/gauge.tsx";
import { applyQuickFix } from "#app/operators/quick-fixes.server.ts";
import { TimeChart } from "#app/operators/time-chart.tsx";
import type { PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/observability.css?url";
import { Alert } from "#app/ui/alert.tsx";
import { SortedTable } from "#app/ui/sorted-table.tsx";
import { Table } from "#app/ui/table.tsx";
import { SEVERITIES } from "#domain/events/events.ts";
import { isRefusal } from "#domain/refusal.ts";
import { sortRows, writeSort } from "#domain/sort.ts";
import { AlertRows, Explained, SeverityWord } from "./alert-rows.tsx";
import { buildView, quickFixForm, readObservabilityQuery } from "./observability-view.server.ts";

const PAGE = "/admin/observability";
const REFRESH_SECONDS = "60";
const RANGES = ["30m", "24h", "7d"] as const;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireAdmin(args);
  const asked = readObservabilityQuery(new URL(args.request.url), args.context.services.clock());
  const { window: _, ...shown } = asked;
  // A page that is being read or typed into does not change under its reader.
  const still = !asked.refresh || asked.replay || asked.search || asked.explain || asked.runbook;
  const headers: HeadersInit = still ? {} : { Refresh: REFRESH_SECONDS };
  return json({ asked: shown, ...(await buildView(args.context, user.id, asked)) }, { headers });
}

export const headers: HeadersFunction = ({ loaderHeaders }) => {
  const refresh = loaderHeaders.get("Refresh");
  return new Headers(refresh ? { Refresh: refresh } : {});
};

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireAdmin(args);
  const form = await readForm(args, quickFixForm);
  if (isRefusal(form)) return refused(args.request, form, {});
  const { db, queue, clock } = args.context.services;
  const fixed = await applyQuickFix({ db, queue }, user.id, form, clock());
  if (isRefusal(fixed)) {
    if (!wantsPage(args.request.headers.get("Accept"))) return refused(args.request, fixed, {});
    args.context.flash({ say: "refused", code: fixed.refused });
  } else args.context.flash({ say: "quick_fixed", what: fixed.action_id });
  return done(args.request, { ok: true }, refererPath(args.request, PAGE));
}

export const handle: PageHandle = { title: (text) => text.observability.title };

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;
type Changes = Partial<Record<string, string | undefined>>;

/** The same page with some of what it is asked for changed. */
function buildAddress(asked: Loaded["asked"], changes: Changes, hash = ""): string {
  const { chosen, timerange, severity, search, sort, refresh } = asked;
  const kept: Changes = {
    ...(chosen ?? { timerange: timerange === "24h" ? undefined : timerange }),
    severity,
    search,
    sort: writeSort(sort) === "-p95_ms" ? undefined : writeSort(sort),
    refresh: refresh ? undefined : "off",
    ...changes,
  };
  const given = Object.entries(kept).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const query = new URLSearchParams(given);
  return `${PAGE}${query.size > 0 ? `?${query}` : ""}${hash}`;
}

export default function Observability() {
  const { asked, summary, topEvents, alertTotal, series, slow, runbook, ...rest } =
    useLoaderData<typeof loader>();
  const text = useText().observability;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
        <RangeLinks asked={asked} />
      </div>
      {asked.refused && <Alert caution>{text.windowRefused}</Alert>}
      {asked.chosen && <ChosenWindow {...asked.chosen} />}
      <dl className="gauges">
        <Gauge name={text.counters.alerts} href="#alerts">
          {alertTotal}
        </Gauge>
        <Gauge name={text.counters.critical} mood={summary.critical > 0 ? "wrong" : "good"}>
          {summary.critical}
        </Gauge>
        <Gauge name={text.counters.error} mood={summary.error > 0 ? "wrong" : "good"}>
          {summary.error}
        </Gauge>
        <Gauge name={text.counters.anomaly} mood={summary.anomaly > 0 ? "caution" : "good"}>
          {summary.anomaly}
        </Gauge>
        <Gauge name={text.counters.total}>{summary.total}</Gauge>
      </dl>
      {runbook && (
        <section className="card card-roomy" id="runbook" aria-label={text.runbook}>
          <h2>{text.runbook}</h2>
          <Explained explanation={runbook} />
        </section>
      )}
      <div className="charts">
        <TimeChart
          name={text.charts.alerts_count}
          points={series.alerts_count}
          write={String}
          lowestTop={2}
          whole
        />
        <TimeChart
          name={text.charts.response_time}
          points={series.response_time}
          write={text.ms}
          lowestTop={10}
        />
        <TimeChart
          name={text.charts.error_rate}
          points={series.error_rate}
          write={text.percent}
          lowestTop={0.01}
        />
      </div>
      <AlertSection asked={asked} alertTotal={alertTotal} {...rest} />
      <SlowEndpoints asked={asked} slow={slow} />
      <TopEvents topEvents={topEvents} />
      <Replay asked={asked} replay={rest.replay} />
    </>
  );
}

function ChosenWindow({ start_time, end_time }: NonNullable<Loaded["asked"]["chosen"]>) {
  const text = useText().observability;
  return (
    <p className="soft">
      {text.chosenWindow}: <bdi dir="ltr">{[start_time, end_time].filter(Boolean).join(" – ")}</bdi>
    </p>
  );
}

function RangeLinks({ asked }: Pick<Loaded, "asked">) {
  const text = useText().observability;
  const window = asked.chosen
    ? Object.entries(asked.chosen).flatMap(([name, value]) => (value ? [[name, value]] : []))
    : [["timerange", asked.timerange]];
  const exported = (format: string) =>
    `/api/observability/export?${new URLSearchParams([...window, ["format", format]])}`;
  return (
    <nav className="actions" aria-label={text.range}>
      {RANGES.map((range) => (
        <a
          key={range}
          className="button button-small"
          href={buildAddress({ ...asked, chosen: null }, { timerange: range })}
          aria-current={!asked.chosen && asked.timerange === range ? "true" : undefined}
        >
          {text.ranges[range]}
        </a>
      ))}
      <a
        className="button button-small button-quiet"
        href={buildAddress({ ...asked, refresh: !asked.refresh }, {})}
      >
        {asked.refresh ? text.switchOff : text.switchOn}
      </a>
      <span className="exports">
        <span className="soft">{text.export}:</span>
        <a className="button button-small button-quiet" href={exported("json")}>
          JSON
        </a>
        <a className="button button-small button-quiet" href={exported("csv")}>
          CSV
        </a>
      </span>
    </nav>
  );
}

type AlertSectionProps = Pick<Loaded, "asked" | "alerts" | "alertTotal" | "pages" | "older" | "explanation">;

function AlertSection({ asked, alerts, pages, older, explanation }: AlertSectionProps) {
  const { observability: text, files } = useText();
  const filtered = Boolean(asked.severity || asked.search);
  const here = asked.page > 1 ? { page: String(asked.page), after: asked.after } : {};
  return (
    <section className="section" id="alerts">
      <div className="section-head">
        <h2>{text.alerts}</h2>
      </div>
      <AlertFilter asked={asked} />
      {alerts.length > 0 ? (
        <AlertRows
          alerts={alerts}
          explanation={explanation}
          explainAddress={(uid) => buildAddress(asked, { ...here, explain: uid }, `#alert-${uid}`)}
        />
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

function AlertFilter({ asked }: Pick<Loaded, "asked">) {
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
      {(asked.severity || asked.search) && (
        <a
          className="button button-quiet"
          href={buildAddress(asked, { severity: undefined, search: undefined })}
        >
          {text.clear}
        </a>
      )}
    </form>
  );
}

function SlowEndpoints({ asked, slow }: Pick<Loaded, "asked" | "slow">) {
  const text = useText().observability;
  const columns = [
    { id: "endpoint", name: text.endpoint },
    { id: "p95_ms", name: text.p95 },
    { id: "avg_ms", name: text.average },
    { id: "count", name: text.requests },
  ] as const;
  return (
    <section className="section" id="slow">
      <div className="section-head">
        <h2>{text.slow}</h2>
      </div>
      {slow.length === 0 ? (
        <p className="soft">{text.quiet}</p>
      ) : (
        <SortedTable
          name={text.slow}
          columns={columns}
          sort={asked.sort}
          address={(sort) => buildAddress(asked, { sort: writeSort(sort) }, "#slow")}
        >
          {sortRows(slow, asked.sort).map((row) => (
            <tr key={`${row.method} ${row.endpoint}`}>
              <th scope="row">
                <Endpoint method={row.method} path={row.endpoint} />
              </th>
              <td>{text.ms(row.p95_ms)}</td>
              <td>{text.ms(row.avg_ms)}</td>
              <td>{amount(row.count)}</td>
            </tr>
          ))}
        </SortedTable>
      )}
    </section>
  );
}

/** An address breaks between its parts and not inside one. What no route answered, as files of the build, has none. */
function Endpoint({ method, path }: { method: string; path: string }) {
  const text = useText().observability;
  if (!path.startsWith("/"))
    return (
      <>
        <code dir="ltr">{method}</code> {text.noRoute}
      </>
    );
  const parts = path.split("/").slice(1);
  return (
    <code dir="ltr">
      {method}{" "}
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path may have one part twice
        <Fragment key={place}>
          /{part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

function TopEvents({ topEvents }: Pick<Loaded, "topEvents">) {
  const text = useText().observability;
  if (topEvents.length === 0) return null;
  return (
    <section className="section">
      <div className="section-head">
        <h2>{text.topEvents}</h2>
      </div>
      <Table name={text.topEvents} headings={[text.event, text.times]}>
        {topEvents.map(({ event, message, count }) => (
          <tr key={event}>
            <th scope="row" title={event}>
              {message}
            </th>
            <td>{amount(count)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Replay({ asked, replay }: Pick<Loaded, "asked" | "replay">) {
  const text = useText().observability;
  return (
    <section className="section" id="replay">
      <div className="section-head">
        <h2>{text.replay}</h2>
      </div>
      {!replay && (
        <a className="button" href={buildAddress(asked, { replay: "on" }, "#replay")}>
          {text.replayStart}
        </a>
      )}
      {replay && <p className="soft">{replay.events.length > 0 ? text.replayLead : text.noEvents}</p>}
      <ol className="replay">
        {replay?.events.map((event) => (
          <li key={event.event_id} className="cluster replay-row">
            <time dateTime={event.timestamp} dir="ltr">
              {event.timestamp.slice(5, 19).replace("T", " ")}
            </time>
            <SeverityWord severity={event.severity} />
            <span className="replay-words">
              {event.message}
              <details className="disclosure">
                <summary>{text.details}</summary>
                <code dir="ltr">
                  {event.event} {event.fields}
                </code>
              </details>
            </span>
          </li>
        ))}
      </ol>
      {replay?.next && (
        <a className="button" href={buildAddress(asked, { replay: "on", cursor: replay.next }, "#replay")}>
          {text.further}
        </a>
      )}
    </section>
  );
}
