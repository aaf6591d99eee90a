import type { ObjectId } from "mongodb";
import type { DurationBuckets } from "#domain/events/duration-histogram.ts";
import type { Severity } from "#domain/events/severity.ts";

/**
 * The numbers of events by name, per minute and per hour, summed over all processes. A window of a month is read from some hundred
 * records, for any number of events.
 */
export type EventCountDoc = {
  /** `minute 2026-11-14T12:00:00.000Z` */
  _id: string;
  unit: RollUpUnit;
  at: Date;
  counts: Partial<Record<string, number>>;
  batches?: string[];
};

export type RollUpUnit = "minute" | "hour";

export type EventDoc = EventRecord & { _id: ObjectId };

export type EventRecord = {
  event: string;
  severity: Severity;
  request_id: string | null;
  timestamp: Date;
  msg_he: string;
  resource?: { type: string; id: string };
  [field: string]: unknown;
};

/**
 * Durations of requests per minute and per hour, summed over all web processes: all of them, and by method and route pattern.
 * Each process collects in memory and adds its sums every few seconds, with one write per minute and hour.
 */
export type RequestTimingDoc = {
  /** `minute 2026-11-14T12:00:00.000Z` */
  _id: string;
  unit: RollUpUnit;
  at: Date;
  all: StoredDurations;
  /** By `GET /file/:id`, with `.` written as `%2E`. */
  routes: Record<string, StoredDurations>;
  batches?: string[];
};

export type StoredDurations = { n: number; e?: number; ms: number; max: number; b?: DurationBuckets };
