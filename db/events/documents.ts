import type { ObjectId } from "mongodb";
import type { DurationBuckets } from "#domain/events/duration-histogram.ts";
import type { Severity } from "#domain/events/severity.ts";

/**
 * How many events of each name there were in each minute and in each hour. A record is one minute or one hour of all
 * processes together, so that a window of a month is summed from some hundred records, however many events it had.
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
 * How long requests took, in each minute and in each hour, of all web processes together: all of them, and by method and route
 * pattern. Each process gathers in memory and adds what it has every few seconds, one write for each minute and hour.
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
