/** Checks every event that a test reads: against the catalogue, the common fields, and its line in the log. */

import { expect } from "vitest";
import type { EventDoc, EventRecord } from "#db/events/documents.ts";
import { EVENTS, type EventName } from "#domain/events/events.ts";
import { SEVERITIES } from "#domain/events/severity.ts";
import { required } from "#domain/required.ts";

/**
 * `lines` are those of the test's own emitter. An event of another process has its line there and is checked against the catalogue only.
 */
export function expectProven(docs: readonly EventDoc[], lines: readonly string[]): void {
  const unmatched = new Map<string, number>();
  for (const line of lines) {
    const key = buildKey(JSON.parse(line));
    unmatched.set(key, (unmatched.get(key) ?? 0) + 1);
  }
  const ownNames = new Set(lines.map((line) => JSON.parse(line).event));
  for (const { _id, ...rest } of docs) {
    const doc = rest as EventRecord;
    expectCatalogued(doc);
    if (!ownNames.has(doc.event)) continue;
    const key = buildKey(doc);
    expect(unmatched.get(key) ?? 0, `the log line of ${JSON.stringify(doc)}`).toBeGreaterThan(0);
    unmatched.set(key, required(unmatched.get(key)) - 1);
  }
}

function expectCatalogued(doc: EventRecord): void {
  const { event, severity, request_id, timestamp, msg_he, ...fields } = doc;
  const spec = EVENTS[event as EventName];
  expect(spec, `the catalogue has ${event}`).toBeDefined();
  expect(SEVERITIES).toContain(severity);
  expect([severity, msg_he]).toEqual([spec.severity, spec.msg_he]);
  expect(request_id === null || /^[\w-]{8,64}$/.test(request_id), `the request_id of ${event}`).toBe(true);
  expect(timestamp).toBeInstanceOf(Date);
  expect(spec.fields.safeParse(fields).success, `${event} has its fields: ${JSON.stringify(fields)}`).toBe(
    true,
  );
}

/** The common fields of a record and its line, sorted. */
function buildKey({ timestamp: _, process: __, ...fields }: Record<string, unknown>): string {
  return JSON.stringify(fields, (_, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
