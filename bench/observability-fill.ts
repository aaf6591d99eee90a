/** A week of events, alerts and requests as a busy installation has them, with their roll-ups, in bulk. */

import { type Collection, ObjectId } from "mongodb";
import type { AlertDoc } from "#db/alerts/documents.ts";
import type { Collections } from "#db/collections.ts";
import type { EventCountDoc, EventDoc, RequestTimingDoc, RollUpUnit } from "#db/events/documents.ts";
import { getSeverity, ROLL_UP_UNITS, UNIT_MS } from "#db/events/event-counts.server.ts";
import { chooseBucket } from "#domain/events/duration-histogram.ts";
import { EVENTS, type EventName } from "#domain/events/events.ts";
import { floorTo } from "#domain/events/time-window.ts";
import { itemAt, required } from "#domain/required.ts";
import { DAY_MS, MINUTE_MS } from "#domain/time/durations.ts";

const SPAN_MS = 7 * DAY_MS;
const BATCH = 10_000;
const ALERTS = 5_000;
const ROUTES = 40;
const REQUESTS_A_MINUTE = 60;
/** How often each happens beside the others. */
const SHARES: Partial<Record<EventName, number>> = {
  business_metric: 60,
  job_started: 12,
  job_completed: 12,
  push_send_attempt: 8,
  sw_push_report: 4,
  share_view_not_found: 2,
  push_send_error: 1,
  job_failed: 0.5,
  alert_raised: 0.5,
};
const NAMES = Object.entries(SHARES).flatMap(([name, share]) =>
  Array<string>(share * 2).fill(name),
) as EventName[];

const hex = (i: number) => i.toString(16).padStart(16, "0");

function eventAt(i: number, timestamp: Date): EventDoc {
  const event = itemAt(NAMES, (i * 7_919) % NAMES.length);
  return {
    _id: new ObjectId(),
    event,
    severity: getSeverity(event),
    request_id: hex(i),
    timestamp,
    msg_he: EVENTS[event].msg_he,
    resource: { type: "note", id: hex(i % 10_007).padStart(24, "0") },
    ms: i % 900,
  };
}

export async function fillEvents(collections: Collections, wanted: number, now: Date): Promise<number> {
  const startMs = now.getTime() - SPAN_MS;
  const counts = new Map<string, EventCountDoc>();
  let made = 0;
  while (made < wanted) {
    const size = Math.min(BATCH, wanted - made);
    const from = made;
    const batch = Array.from({ length: size }, (_, i) =>
      eventAt(from + i, new Date(startMs + Math.floor(((from + i) / wanted) * SPAN_MS))),
    );
    await collections.events.insertMany(batch, { ordered: false });
    for (const event of batch) countEvents(counts, event);
    made += size;
  }
  await insertAll(collections.event_counts, [...counts.values()]);
  await fillAlerts(collections, startMs);
  await fillTimings(collections, startMs);
  return made;
}

async function fillAlerts({ alerts }: Collections, startMs: number): Promise<void> {
  const severities = ["critical", "error", "anomaly", "warn"] as const;
  const docs = Array.from({ length: ALERTS }, (_, i): AlertDoc => {
    const timestamp = new Date(startMs + Math.floor((i / ALERTS) * SPAN_MS));
    return {
      _id: new ObjectId().toHexString(),
      name: i % 3 === 0 ? "job_failed" : "DiskFull",
      severity: required(severities[i % severities.length]),
      summary: `Alert number ${i} of a busy week`,
      source: i % 3 === 0 ? "internal" : "alertmanager",
      status: "firing",
      repeats: 1,
      timestamp,
      last_seen_at: timestamp,
      ended_at: null,
      metadata: { job_id: "trash_check", instance: `db-${i % 20}` },
    };
  });
  await alerts.insertMany(docs, { ordered: false });
}

/** The roll-ups are made here and inserted whole: one by one, as processes add to them, a week takes minutes. */
async function fillTimings({ request_timings }: Collections, startMs: number): Promise<void> {
  const sums = new Map<string, RequestTimingDoc>();
  for (let ms = startMs; ms < startMs + SPAN_MS; ms += MINUTE_MS)
    for (let i = 0; i < REQUESTS_A_MINUTE; i++) {
      const turn = Math.floor(ms / MINUTE_MS) + i;
      const took = (turn * 37) % 400;
      for (const unit of ROLL_UP_UNITS) {
        const doc = rollUp(sums, unit, floorTo(new Date(ms), UNIT_MS[unit]));
        const route = `GET /route-${(turn * 31) % ROUTES}/:id`;
        doc.routes[route] ??= { n: 0, e: 0, ms: 0, max: 0, b: {} };
        for (const sum of [doc.all, doc.routes[route]]) add(sum, took, turn % 97 === 0);
      }
    }
  await insertAll(request_timings, [...sums.values()]);
}

type Sum = RequestTimingDoc["all"];

function rollUp(sums: Map<string, RequestTimingDoc>, unit: RollUpUnit, at: Date): RequestTimingDoc {
  const _id = `${unit} ${at.toISOString()}`;
  const doc = sums.get(_id) ?? { _id, unit, at, all: { n: 0, e: 0, ms: 0, max: 0, b: {} }, routes: {} };
  sums.set(_id, doc);
  return doc;
}

function add(sum: Sum, took: number, failed: boolean): void {
  sum.n += 1;
  sum.e = (sum.e ?? 0) + (failed ? 1 : 0);
  sum.ms += took;
  sum.max = Math.max(sum.max, took);
  sum.b ??= {};
  const place = chooseBucket(took);
  sum.b[place] = (sum.b[place] ?? 0) + 1;
}

function countEvents(sums: Map<string, EventCountDoc>, { event, timestamp }: EventDoc): void {
  for (const unit of ROLL_UP_UNITS) {
    const at = floorTo(timestamp, UNIT_MS[unit]);
    const _id = `${unit} ${at.toISOString()}`;
    const doc = sums.get(_id) ?? { _id, unit, at, counts: {} };
    sums.set(_id, doc);
    doc.counts[event] = (doc.counts[event] ?? 0) + 1;
  }
}

const ROLL_UPS_AT_ONCE = 500;

async function insertAll<T extends object>(into: Collection<T>, docs: T[]): Promise<void> {
  for (let from = 0; from < docs.length; from += ROLL_UPS_AT_ONCE)
    await into.insertMany(docs.slice(from, from + ROLL_UPS_AT_ONCE) as never, { ordered: false });
}
