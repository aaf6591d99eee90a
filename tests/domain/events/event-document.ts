import { z } from "zod";
import { eventMessages } from "#app/i18n/en/event-messages.ts";
import { EVENTS, type EventName, STRANGERS_EVENTS_PER_MINUTE } from "#domain/events/events.ts";

/** Generates docs/events.md from the catalogue. */
export function eventDocument(): string {
  const rows = (Object.keys(EVENTS) as EventName[]).map((name) => {
    const { severity, msg_he, fields } = EVENTS[name];
    return `| \`${name}\` | ${severity} | ${fieldNames(fields)} | ${eventMessages[name]} | ${msg_he} |`;
  });
  return `${HEAD}${rows.join("\n")}\n`;
}

function fieldNames(fields: z.ZodObject): string {
  return Object.entries(fields.shape)
    .filter(([name]) => name !== "resource")
    .map(([name, shape]) => `\`${name}\`${shape instanceof z.ZodOptional ? "?" : ""}`)
    .join(", ");
}

const HEAD = `# Events

After this page you can read the log and the event history, and find what an event carries.

Every event has \`event\`, \`severity\`, \`request_id\`, \`timestamp\`, \`msg_he\` (what happened, in Hebrew) and, if it concerns one thing, \`resource\` with \`type\` and \`id\`; then its
own fields. \`/admin/observability\` shows events in the reader's language, newest first, and finds the names of the people among the 2,000 newest accounts as the page is made; they are not stored. It is one JSON line in the log and, for 30 days, one record in the collection \`events\`; it is counted by the minute and by the hour in \`event_counts\` (31 days).
Events carry ids, counts and codes, never names, contents, endpoints or tokens. A field with ? may be missing. The table is made from \`domain/events/events.ts\` and a test compares the two.

Events with the field \`suppressed\` can be caused by anybody's requests. Of these, each process logs and stores only the first ${STRANGERS_EVENTS_PER_MINUTE} of each name in a minute and counts the rest;
the next one that is stored says in \`suppressed\` how many were left out.

| event | severity | fields | what happened | \`msg_he\` |
|---|---|---|---|---|
`;
