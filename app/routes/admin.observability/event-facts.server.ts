import type { Dictionary } from "#app/i18n/en.ts";
import type { EventPerson } from "#db/events/event-people.server.ts";

/** One value of an event: what it is called, what it is in words, and the page about it where there is one. */
type EventFact = { name: string; value: string; href?: string };

type Fields = Record<string, unknown>;

/** What an event carries, in the reader's words. */
export function listFacts(
  { resource, request_id, ...fields }: Fields,
  text: Dictionary,
  people: ReadonlyMap<string, EventPerson> = new Map(),
): EventFact[] {
  // By the schema that all events share.
  const about = resource as { type: string; id: string } | undefined;
  const values = Object.entries({
    ...(about ? { [about.type]: about.id } : {}),
    ...fields,
    request: request_id,
  });
  const seen = new Set<unknown>();
  const person = about && people.get(about.id);
  const named = person ? [namePerson(person, text)] : [];
  const facts = values.flatMap(([name, value]): EventFact[] => {
    // A value is shown once, under the first of its names.
    const isSaid = seen.has(value) && (value === about?.id || name === "reason");
    if (value === null || value === undefined || isSaid) return [];
    if (person && name === "user" && value === about?.id) return [];
    seen.add(value);
    const { detailNames } = text.observability;
    const href = name === "job_run" ? { href: `/admin/jobs/runs/${value}` } : {};
    return [{ name: detailNames[name] ?? name, value: describeValue(name, value, text), ...href }];
  });
  return [...named, ...facts];
}

/** A person by name, with their account; the id that events have for them says nothing to a reader. */
const namePerson = (
  { id, name }: EventPerson,
  { observability: { detailNames } }: Dictionary,
): EventFact => ({
  name: detailNames.user ?? "user",
  value: name,
  href: `/admin/users?${new URLSearchParams({ q: id })}`,
});

type ValueNames = Partial<Record<string, string>>;

/** The fields whose values are codes of our own, and where their words are. */
const VALUE_WORDS: Record<string, (text: Dictionary) => ValueNames> = {
  job_id: ({ jobs }) => jobs.names,
  job_ids_sample: ({ jobs }) => jobs.names,
  trigger: ({ jobs }) => jobs.triggers,
  reason: ({ jobs, repos }) => ({ ...jobs.reasons, ...repos.syncErrors }),
  error: ({ jobs }) => jobs.reasons,
  metric: ({ observability }) => observability.metricNames,
  name: ({ observability }) => alertTitles(observability.alertWords),
};

const alertTitles = (words: Record<string, { title: string }>): ValueNames =>
  Object.fromEntries(Object.entries(words).map(([rule, { title }]) => [rule, title]));

function describeValue(name: string, value: unknown, text: Dictionary): string {
  if (Array.isArray(value)) return value.map((each) => describeValue(name, each, text)).join(", ");
  if (name === "ms" && typeof value === "number") return text.observability.ms(value);
  const words = VALUE_WORDS[name]?.(text);
  return words?.[String(value)] ?? String(value);
}
