import type { AnyBulkWriteOperation } from "mongodb";
import type { Db } from "#db/client.ts";
import type { Collections } from "#db/collections.ts";
import { toBatchUpdate, upsertBatchOnce, withoutBatch } from "#db/core/add-once.ts";
import type { EventCountDoc, RollUpUnit } from "#db/events/documents.ts";
import { EVENTS } from "#domain/events/events.ts";
import { SEVERITIES, type Severity } from "#domain/events/severity.ts";
import { floorTo, splitWindow, type TimeWindow } from "#domain/events/time-window.ts";
import { HOUR_MS, MINUTE_MS } from "#domain/time/durations.ts";
import { hasKey, listKeys, mapKeys } from "#domain/typed-keys.ts";
import { generateToken } from "#platform/ids.ts";

export const UNIT_MS: Record<RollUpUnit, number> = { minute: MINUTE_MS, hour: HOUR_MS };
export const ROLL_UP_UNITS = listKeys(UNIT_MS);

/** An event, or several with the same name within a minute. */
export type Counted = { event: string; timestamp: Date; count?: number };

/** Adds events to their minute and hour with one write each. A batch is added only once. */
export async function addEventCounts(
  { event_counts }: Pick<Collections, "event_counts">,
  events: readonly Counted[],
  batch = generateToken(6),
): Promise<void> {
  const sums = new Map<string, { unit: RollUpUnit; at: Date; counts: Record<string, number> }>();
  for (const { event, timestamp, count = 1 } of events)
    for (const unit of ROLL_UP_UNITS) {
      const at = floorTo(timestamp, UNIT_MS[unit]);
      const id = `${unit} ${at.toISOString()}`;
      const sum = sums.get(id) ?? { unit, at, counts: {} };
      sums.set(id, sum);
      sum.counts[event] = (sum.counts[event] ?? 0) + count;
    }
  if (sums.size === 0) return;
  const writes = [...sums].map(([_id, { unit, at, counts }]): AnyBulkWriteOperation<EventCountDoc> => {
    const $inc = Object.entries(counts).map(([name, count]) => [`counts.${name}`, count]);
    const update = { $setOnInsert: { unit, at }, $inc: Object.fromEntries($inc), ...toBatchUpdate(batch) };
    return { updateOne: { filter: { _id, ...withoutBatch(batch) }, update, upsert: true } };
  });
  await upsertBatchOnce(() => event_counts.bulkWrite(writes, { ordered: false }));
}

type EventTotals = {
  total: number;
  bySeverity: Record<Severity, number>;
  byEvent: Map<string, number>;
};

/** Sums a window of full minutes. */
export async function sumEventCounts(db: Db, window: TimeWindow): Promise<EventTotals> {
  const { hours, minutes } = splitWindow(window);
  const toRange = (unit: RollUpUnit, { start, end }: TimeWindow) => ({ unit, at: { $gte: start, $lt: end } });
  const docs = await Promise.all(
    [toRange("hour", hours), ...minutes.map((range) => toRange("minute", range))].map((filter) =>
      db.event_counts.find(filter).project<Pick<EventCountDoc, "counts">>({ counts: 1 }).toArray(),
    ),
  );
  const byEvent = new Map<string, number>();
  for (const { counts } of docs.flat())
    for (const [event, count = 0] of Object.entries(counts ?? {}))
      byEvent.set(event, (byEvent.get(event) ?? 0) + count);
  return { ...sumBySeverity(byEvent), byEvent };
}

type EventTotal = { event: string; count: number };

export function topEvents({ byEvent }: EventTotals, limit: number): EventTotal[] {
  const totals = [...byEvent].map(([event, count]) => ({ event, count }));
  return totals.sort((a, b) => b.count - a.count || (a.event < b.event ? -1 : 1)).slice(0, limit);
}

function sumBySeverity(byEvent: Map<string, number>) {
  const bySeverity = mapKeys(SEVERITIES, () => 0);
  let total = 0;
  for (const [event, count] of byEvent) {
    total += count;
    bySeverity[getSeverity(event)] += count;
  }
  return { total, bySeverity };
}

/** Events that are no longer in the catalogue count as information. */
export function getSeverity(event: string): Severity {
  return hasKey(EVENTS, event) ? EVENTS[event].severity : "info";
}
