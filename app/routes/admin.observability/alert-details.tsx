import { Fragment } from "react";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { type AlertMetadata, type AlertRule, isAlertRule } from "#domain/alerts/alert.ts";

/** Pages that an explanation sends its reader to, by the name that they have there. */
const LINKED_PAGES: Record<string, (text: Dictionary) => string> = {
  "/admin/verify-indexes": (text) => text.operators.indexes.title,
  "/admin/jobs": (text) => text.jobs.title,
  "/settings/devices": (text) => text.nav.devices,
  "/readyz": () => "/readyz",
};
const PAGE_PATHS = new RegExp(`[\\u2066]?(${Object.keys(LINKED_PAGES).join("|")})[\\u2069]?`);

/** A sentence whose paths are links to the pages they name. */
export function LinkedText({ words }: { words: string }) {
  const text = useText();
  // A split by a pattern with one group gives what lies between and what was found, by turns.
  return words.split(PAGE_PATHS).map((part, place) => {
    const name = place % 2 === 1 ? LINKED_PAGES[part]?.(text) : undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
    return <Fragment key={place}>{name ? <a href={part}>{name}</a> : part}</Fragment>;
  });
}

/** What the row of an alert says already. */
const SAID_BY_ROW: Record<AlertRule, readonly string[]> = {
  high_error_rate: ["error_rate", "count"],
  slow_endpoint: ["method", "endpoint", "p95_ms"],
  job_failed: ["job_id", "reason"],
  job_stuck: ["job_id"],
  ttl_index_missing: ["index"],
  push_exhausted: ["job_id"],
  events_dropped: [],
  backup_late: ["job_id"],
};

/** The same of an alert that came in. */
const SAID_BY_ROW_OF_OTHERS = ["alertname", "severity", "description", "runbook_url"];

type DetailsProps = { name: string; metadata: AlertMetadata };

/** The values of an alert that its row does not say, each with its name; a name of another system is shown as code. */
export function AlertDetails({ name, metadata }: DetailsProps) {
  const { details, detailNames } = useText().observability;
  // The row says our own rules in words; whoever looks for one in the log finds its name here.
  const values = isAlertRule(name) ? { rule: name, ...metadata } : metadata;
  const said = ["subject", ...(isAlertRule(name) ? SAID_BY_ROW[name] : SAID_BY_ROW_OF_OTHERS)];
  const shown = Object.entries(values).filter(
    ([key, value]) => value !== null && value !== "" && !said.includes(key),
  );
  if (shown.length === 0) return null;
  return (
    <>
      <h4>{details}</h4>
      <ul className="alert-list breaks grid gap-1">
        {shown.map(([key, value]) => (
          <li key={key}>
            {detailNames[key] ?? <code dir="ltr">{key}</code>}: <bdi>{String(value)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
