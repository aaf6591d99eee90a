import { Fragment } from "react";
import type { Dictionary } from "#app/i18n/en.ts";
import { useText } from "#app/i18n/text.ts";
import { type AlertMetadata, type AlertRule, isAlertRule } from "#domain/alerts/alert.ts";

/** Pages that explanations refer to by path, with their titles. */
const LINKED_PAGES: Record<string, (text: Dictionary) => string> = {
  "/admin/verify-indexes": (text) => text.operators.indexes.title,
  "/admin/jobs": (text) => text.jobs.title,
  "/settings/devices": (text) => text.nav.devices,
  "/readyz": () => "/readyz",
};
const PAGE_PATHS = new RegExp(`[\\u2066]?(${Object.keys(LINKED_PAGES).join("|")})[\\u2069]?`);

/** A sentence in which paths are links to the pages they name. */
export function LinkedText({ words }: { words: string }) {
  const text = useText();
  // A split by a pattern with one group alternates between the text around and the matches.
  return words.split(PAGE_PATHS).map((part, i) => {
    const name = i % 2 === 1 ? LINKED_PAGES[part]?.(text) : undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
    return <Fragment key={i}>{name ? <a href={part}>{name}</a> : part}</Fragment>;
  });
}

/** The values that the row of an alert already shows. */
const SHOWN_BY_ROW: Record<AlertRule, readonly string[]> = {
  high_error_rate: ["error_rate", "count"],
  slow_endpoint: ["method", "endpoint", "p95_ms"],
  job_failed: ["job_id", "reason"],
  job_stuck: ["job_id"],
  ttl_index_missing: ["index"],
  push_exhausted: ["job_id"],
  events_dropped: [],
  backup_late: ["job_id"],
};

const SHOWN_BY_ROW_OF_EXTERNAL = ["alertname", "severity", "description", "runbook_url"];

type DetailsProps = { name: string; metadata: AlertMetadata };

/** The values of an alert that its row does not show. Names from other systems are shown as code. */
export function AlertDetails({ name, metadata }: DetailsProps) {
  const { details, detailNames } = useText().observability;
  // The row describes our own rules in words; the name of the rule helps to find it in the log.
  const values = isAlertRule(name) ? { rule: name, ...metadata } : metadata;
  const shownKeys = ["subject", ...(isAlertRule(name) ? SHOWN_BY_ROW[name] : SHOWN_BY_ROW_OF_EXTERNAL)];
  const facts = Object.entries(values).filter(
    ([key, value]) => value !== null && value !== "" && !shownKeys.includes(key),
  );
  if (facts.length === 0) return null;
  return (
    <>
      <h4>{details}</h4>
      <ul className="discs indent-4 breaks grid gap-1">
        {facts.map(([key, value]) => (
          <li key={key}>
            {detailNames[key] ?? <code dir="ltr">{key}</code>}: <bdi>{String(value)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
