import { type ActionFunctionArgs, json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { applyQuickFix } from "#app/operators/quick-fixes.server.ts";
import { TimeChart } from "#app/operators/time-chart.tsx";
import { ZoneNote } from "#app/operators/zone-note.tsx";
import { usePage } from "#app/page-context.ts";
import { linkSheets, type PageHandle } from "#app/page-handle.ts";
import styles from "#app/styles/operators/observability.css?url";
import { wantsPage } from "#app/web/answers/accept.ts";
import { passRefreshHeader } from "#app/web/answers/page-headers.server.ts";
import { answerRefusal, answerSuccess, setJsonAnswer } from "#app/web/answers/replies.server.ts";
import { readForm } from "#app/web/door/body.server.ts";
import { readRefererPath } from "#app/web/door/referer.ts";
import { requireAdmin } from "#app/web/session/gates.server.ts";
import { Alert } from "#app/web/ui/alert.tsx";
import { ClockTime, getClockFormat, useTimeZone } from "#app/web/ui/moment.tsx";
import { Table } from "#app/web/ui/table.tsx";
import { acknowledgeAlert, muteAlert } from "#db/alerts/alert-life.server.ts";
import type { Db } from "#db/client.ts";
import { MUTE_MINUTES } from "#domain/alerts/alert.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { AlertExplanation, SeverityWord } from "./alert-rows.tsx";
import { AlertSection } from "./alert-section.tsx";
import { AlertTiles } from "./alert-tiles.tsx";
import {
  alertForm,
  loadPage,
  type ObservabilityPage,
  readObservabilityQuery,
} from "./observability-view.server.ts";
import { buildAddress, PAGE } from "./page-address.ts";
import { SlowEndpoints } from "./slow-endpoints.tsx";

const REFRESH_SECONDS = "60";
const RANGES = ["30m", "24h", "7d"] as const;

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requireAdmin(args);
  const query = readObservabilityQuery(new URL(args.request.url), args.context.services.clock());
  // A page that is being read or typed into does not change under its reader.
  const isStill = !query.refresh || query.replay || query.search || query.explain || query.runbook;
  const headers: HeadersInit = isStill ? {} : { Refresh: REFRESH_SECONDS };
  const page = await loadPage(args.context, user.id, query);
  setJsonAnswer(args.request, {
    summary: page.summary,
    top_events: page.topEvents,
    slow_endpoints: page.slow,
    series: page.series,
    alerts: page.alerts,
    total: page.alertTotal,
    next_cursor: page.older,
  });
  return json(page, { headers });
}

export const headers = passRefreshHeader;

export async function action(args: ActionFunctionArgs) {
  const { user } = await requireAdmin(args);
  const form = await readForm(args, alertForm);
  if (isRefusal(form)) return answerRefusal(args.request, form, {});
  const { db, queue, clock } = args.context.services;
  if ("intent" in form) {
    const alert = await ALERT_ACTIONS[form.intent](db, form.alert_uid, clock());
    if (!alert)
      return answerRefusal(args.request, Refusal("alert_not_found", { alert_uid: form.alert_uid }), {});
    return answerSuccess(args.request, { ok: true }, readRefererPath(args.request, PAGE));
  }
  const result = await applyQuickFix({ db, queue }, user.id, form, clock());
  if (isRefusal(result)) {
    if (!wantsPage(args.request.headers.get("Accept"))) return answerRefusal(args.request, result, {});
    args.context.session.flash({ say: "refused", code: result.refused });
  } else args.context.session.flash({ say: "quick_fixed", what: result.action_id });
  return answerSuccess(args.request, { ok: true }, readRefererPath(args.request, PAGE));
}

const ALERT_ACTIONS = {
  ack: acknowledgeAlert,
  mute: (db: Db, uid: string, now: Date) =>
    muteAlert(db, uid, new Date(now.getTime() + MUTE_MINUTES * MINUTE_MS)),
};

export const handle: PageHandle = { title: (text) => text.observability.title };

export const links = linkSheets(styles);

export default function Observability() {
  const { query, summary, counts, topEvents, series, slow, runbook, ...rest } =
    useLoaderData<typeof loader>();
  const text = useText().observability;
  return (
    <>
      <div className="page-head">
        <h1>{text.title}</h1>
        <RangeLinks query={query} />
      </div>
      <ZoneNote />
      {query.refused && <Alert caution>{text.windowRefused}</Alert>}
      {query.chosen && <ChosenTimeRange {...query.chosen} />}
      <AlertTiles query={query} counts={counts} events={summary.total} />
      {runbook && (
        <section className="card card-roomy" id="runbook" aria-label={text.runbook}>
          <h2>{text.runbook}</h2>
          <AlertExplanation explanation={runbook} />
        </section>
      )}
      <div className="charts columns-20 grid gap-4">
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
      <AlertSection query={query} {...rest} />
      <SlowEndpoints query={query} slow={slow} />
      <TopEvents topEvents={topEvents} />
      <Replay query={query} replay={rest.replay} />
    </>
  );
}

function ChosenTimeRange({ start_time, end_time }: NonNullable<ObservabilityPage["query"]["chosen"]>) {
  const text = useText().observability;
  const { locale } = usePage();
  const clock = getClockFormat(locale, useTimeZone(), "dated");
  const times = [start_time, end_time].flatMap((time) => (time ? [clock.format(Date.parse(time))] : []));
  return (
    <p className="soft">
      {text.chosenWindow}: <bdi>{times.join(" – ")}</bdi>
    </p>
  );
}

function RangeLinks({ query }: Pick<ObservabilityPage, "query">) {
  const text = useText().observability;
  const window = query.chosen
    ? Object.entries(query.chosen).flatMap(([name, value]) => (value ? [[name, value]] : []))
    : [["timerange", query.timerange]];
  const exportAddress = (format: string) =>
    `/api/observability/export?${new URLSearchParams([...window, ["format", format]])}`;
  return (
    <nav className="actions" aria-label={text.range}>
      {RANGES.map((range) => (
        <a
          key={range}
          className="button button-small"
          href={buildAddress({ ...query, chosen: null }, { timerange: range })}
          aria-current={!query.chosen && query.timerange === range ? "true" : undefined}
        >
          {text.ranges[range]}
        </a>
      ))}
      <a
        className="button button-small button-quiet"
        href={buildAddress({ ...query, refresh: !query.refresh }, {})}
      >
        {query.refresh ? text.switchOff : text.switchOn}
      </a>
      <span className="exports inline">
        <span className="soft">{text.export}:</span>
        <a className="button button-small button-quiet" href={exportAddress("json")}>
          JSON
        </a>
        <a className="button button-small button-quiet" href={exportAddress("csv")}>
          CSV
        </a>
      </span>
    </nav>
  );
}

function TopEvents({ topEvents }: Pick<ObservabilityPage, "topEvents">) {
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

function Replay({ query, replay }: Pick<ObservabilityPage, "query" | "replay">) {
  const text = useText().observability;
  return (
    <section className="section" id="replay">
      <div className="section-head">
        <h2>{text.replay}</h2>
      </div>
      {!replay && (
        <a className="button" href={buildAddress(query, { replay: "on" }, "#replay")}>
          {text.replayStart}
        </a>
      )}
      {replay && <p className="soft">{replay.events.length > 0 ? text.replayLead : text.noEvents}</p>}
      {replay && query.request && (
        <p>
          {text.ofOneRun}{" "}
          <a href={buildAddress(query, { replay: "on", request: undefined }, "#replay")}>{text.allEvents}</a>
        </p>
      )}
      <ol className="replay grid gap-2 around-3">
        {replay?.events.map((event) => (
          <li key={event.event_id} className="cluster replay-row small baseline gap-3 rows-1">
            <ClockTime at={event.timestamp} kind="dated" />
            <SeverityWord severity={event.severity} />
            <span className="grow-16 breaks grid shrinks">
              {event.message}
              <span className="soft small breaks flex wraps gap-3 rows-0">
                <code dir="ltr">{event.event}</code>
                {event.facts.map(({ name, value, href }) => (
                  <span key={name}>
                    {name}: <bdi>{href ? <a href={href}>{value}</a> : value}</bdi>
                  </span>
                ))}
              </span>
            </span>
          </li>
        ))}
      </ol>
      {replay?.next && (
        <a className="button" href={buildAddress(query, { replay: "on", cursor: replay.next }, "#replay")}>
          {text.further}
        </a>
      )}
    </section>
  );
}
