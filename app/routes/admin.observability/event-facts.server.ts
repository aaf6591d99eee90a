import type { Dictionary } from "#app/i18n/en.ts";
import type { EventPerson } from "#db/events/event-people.server.ts";

/** One value of an event: its label, its text, and the page about it, if there is one. */
type EventFact = { name: string; value: string; href?: string };

type Fields = Record<string, unknown>;

export function listFacts(
  { resource, request_id, ...fields }: Fields,
  text: Dictionary,
  people: ReadonlyMap<string, EventPerson> = new Map(),
): EventFact[] {
  // All events share this schema.
  const about = resource as { type: string; id: string } | undefined;
  const values = Object.entries({
    ...(about ? { [about.type]: about.id } : {}),
    ...fields,
    request: request_id,
  });
  const shownValues = new Set<unknown>();
  const person = about && people.get(about.id);
  const personFacts = person ? [toPersonFact(person, text)] : [];
  const facts = values.flatMap(([name, value]): EventFact[] => {
    // A value is shown once, under the first of its names.
    const isShown = shownValues.has(value) && (value === about?.id || name === "reason");
    if (value === null || value === undefined || isShown) return [];
    if (person && name === "user" && value === about?.id) return [];
    shownValues.add(value);
    const { detailNames } = text.observability;
    const href = name === "job_run" ? { href: `/admin/jobs/runs/${value}` } : {};
    return [{ name: detailNames[name] ?? name, value: describeValue(name, value, text), ...href }];
  });
  return [...personFacts, ...facts];
}

/** Names a person and links to their account, because the id in the event says nothing to a reader. */
const toPersonFact = (
  { id, name }: EventPerson,
  { observability: { detailNames } }: Dictionary,
): EventFact => ({
  name: detailNames.user ?? "user",
  value: name,
  href: `/admin/users?${new URLSearchParams({ q: id })}`,
});

type ValueNames = Partial<Record<string, string>>;

/** The fields whose values are our own codes, and the texts for those. */
const VALUE_WORDS: Record<string, (text: Dictionary) => ValueNames> = {
  job_id: ({ jobs }) => jobs.names,
  job_ids_sample: ({ jobs }) => jobs.names,
  trigger: ({ jobs }) => jobs.triggers,
  reason: ({ jobs, repos }) => ({ ...jobs.reasons, ...repos.syncErrors }),
  error: ({ jobs }) => jobs.reasons,
  metric: ({ observability }) => observability.metricNames,
  name: ({ observability }) => alertTitles(observability.alertWords),
};

const alertTitles = (wordings: Record<string, { title: string }>): ValueNames =>
  Object.fromEntries(Object.entries(wordings).map(([rule, { title }]) => [rule, title]));

function describeValue(name: string, value: unknown, text: Dictionary): string {
  if (Array.isArray(value)) return value.map((each) => describeValue(name, each, text)).join(", ");
  if (name === "ms" && typeof value === "number") return text.observability.ms(value);
  const labels = VALUE_WORDS[name]?.(text);
  return labels?.[String(value)] ?? String(value);
}
