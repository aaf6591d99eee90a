import { useText } from "#app/i18n/text.ts";
import { Clock } from "#app/ui/moment.tsx";
import { SeverityWord } from "./alert-rows.tsx";
import type { ObservabilityPage } from "./observability-view.server.ts";
import { buildAddress } from "./page-address.ts";

export function Replay({ query, replay }: Pick<ObservabilityPage, "query" | "replay">) {
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
            <Clock at={event.timestamp} kind="dated" />
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
