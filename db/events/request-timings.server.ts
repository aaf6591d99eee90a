import type { AnyBulkWriteOperation, Document } from "mongodb";
import type { Db } from "#db/client.ts";
import type { Collections } from "#db/collections.ts";
import { toBatchUpdate, upsertBatchOnce, withoutBatch } from "#db/core/add-once.ts";
import type { RequestTimingDoc, RollUpUnit, StoredDurations } from "#db/events/documents.ts";
import { ROLL_UP_UNITS, UNIT_MS } from "#db/events/event-counts.server.ts";
import {
  addDuration,
  addDurations,
  averageMs,
  type Durations,
  noDurations,
  percentileMs,
} from "#domain/events/duration-histogram.ts";
import { floorTo, listSteps, splitWindow, type TimeWindow } from "#domain/events/time-window.ts";
import { HOUR_MS, SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import { generateToken } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";

type TimingSums = { all: Durations; routes: Map<string, Durations> };

export type RequestTimings = {
  record(method: string, route: string, status: number, ms: number): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

const FLUSH_EVERY_MS = 5 * SECOND_MS;
// While the store is unavailable, this many minutes are kept; older ones are dropped.
const MINUTES_WAITING_MAX = 120;
const SERVER_FAULT = 500;

type TimingsOptions = { collections: Pick<Collections, "request_timings">; log: Log; clock: Clock };

export function createRequestTimings({ collections, log, clock }: TimingsOptions): RequestTimings {
  let minutes = new Map<number, TimingSums>();
  let storing: Promise<void> = Promise.resolve();

  /** Sent but not confirmed. It is sent again unchanged, so that nothing is added twice. */
  let sending: { batch: string; sums: Sum[] } | null = null;

  async function storeSums() {
    try {
      while (sending || minutes.size > 0) {
        if (!sending) {
          sending = { batch: generateToken(6), sums: rollUpMinutes(minutes) };
          minutes = new Map();
        }
        const { batch, sums } = sending;
        const writes = sums.map(
          ({ _id, update }): AnyBulkWriteOperation<RequestTimingDoc> => ({
            updateOne: {
              filter: { _id, ...withoutBatch(batch) },
              update: { ...update, ...toBatchUpdate(batch) },
              upsert: true,
            },
          }),
        );
        await upsertBatchOnce(() => collections.request_timings.bulkWrite(writes, { ordered: false }));
        sending = null;
      }
    } catch (error) {
      for (const minute of [...minutes.keys()].sort().slice(0, -MINUTES_WAITING_MAX)) minutes.delete(minute);
      log.debug("request_timings_not_stored", { error });
    }
  }
  const flush = () => (storing = storing.then(storeSums));
  const timer = setInterval(() => (sending || minutes.size > 0) && void flush(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    record(method, route, status, ms) {
      const sums = findOrAddSums(minutes, floorTo(clock(), UNIT_MS.minute).getTime());
      const key = `${method} ${route}`;
      const routeSums = sums.routes.get(key) ?? noDurations();
      sums.routes.set(key, routeSums);
      for (const durations of [sums.all, routeSums]) addDuration(durations, ms, status >= SERVER_FAULT);
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

function findOrAddSums<Key>(table: Map<Key, TimingSums>, key: Key): TimingSums {
  const sums = table.get(key) ?? { all: noDurations(), routes: new Map() };
  table.set(key, sums);
  return sums;
}

function mergeSums<Key>(table: Map<Key, TimingSums>, key: Key, more: TimingSums): void {
  const sums = findOrAddSums(table, key);
  addDurations(sums.all, more.all);
  for (const [key, durations] of more.routes) {
    const routeSums = sums.routes.get(key) ?? noDurations();
    sums.routes.set(key, routeSums);
    addDurations(routeSums, durations);
  }
}

type Sum = { _id: string; update: Document };

function rollUpMinutes(minutes: Map<number, TimingSums>): Sum[] {
  return ROLL_UP_UNITS.flatMap((unit) => {
    const sums = new Map<number, TimingSums>();
    for (const [at, gathered] of minutes)
      mergeSums(sums, floorTo(new Date(at), UNIT_MS[unit]).getTime(), gathered);
    return [...sums].map(([ms, gathered]) => toSum(unit, new Date(ms), gathered));
  });
}

function toSum(unit: RollUpUnit, at: Date, { all, routes }: TimingSums): Sum {
  const $inc: Document = {};
  const $max: Document = {};
  const add = (path: string, { count, errors, total_ms, max_ms, buckets }: Durations) => {
    $inc[`${path}.n`] = count;
    if (errors > 0) $inc[`${path}.e`] = errors;
    $inc[`${path}.ms`] = total_ms;
    $max[`${path}.max`] = max_ms;
    for (const [place, times] of Object.entries(buckets)) $inc[`${path}.b.${place}`] = times;
  };
  add("all", all);
  for (const [key, durations] of routes) add(`routes.${encodeField(key)}`, durations);
  return { _id: `${unit} ${at.toISOString()}`, update: { $setOnInsert: { unit, at }, $inc, $max } };
}

const encodeField = (key: string) => key.replaceAll(".", "%2E").replaceAll("$", "%24");
const decodeField = (field: string) => field.replaceAll("%2E", ".").replaceAll("%24", "$");

const toDurations = ({ n, e = 0, ms, max, b = {} }: StoredDurations): Durations => ({
  count: n,
  errors: e,
  total_ms: ms,
  max_ms: max,
  buckets: b,
});

type EndpointTimings = Durations & { endpoint: string; method: string };

export async function sumTimingsByEndpoint(db: Db, window: TimeWindow): Promise<EndpointTimings[]> {
  const { hours, minutes } = splitWindow(window);
  const toRange = (unit: RollUpUnit, { start, end }: TimeWindow) => ({ unit, at: { $gte: start, $lt: end } });
  const docs = await Promise.all(
    [toRange("hour", hours), ...minutes.map((range) => toRange("minute", range))].map((filter) =>
      db.request_timings.find(filter).project<Pick<RequestTimingDoc, "routes">>({ routes: 1 }).toArray(),
    ),
  );
  const sums = new Map<string, Durations>();
  for (const { routes } of docs.flat())
    for (const [field, stored] of Object.entries(routes ?? {})) {
      const sum = sums.get(field) ?? noDurations();
      sums.set(field, sum);
      addDurations(sum, toDurations(stored));
    }
  return [...sums].map(([field, sum]) => {
    const [method = "", endpoint = ""] = decodeField(field).split(" ");
    return { method, endpoint, ...sum };
  });
}

type SlowEndpoint = {
  endpoint: string;
  method: string;
  count: number;
  avg_ms: number;
  p95_ms: number;
};

/** Lists the slowest first, by the duration that one in twenty requests exceeds. */
export async function listSlowEndpoints(db: Db, window: TimeWindow, limit: number): Promise<SlowEndpoint[]> {
  const slow = (await sumTimingsByEndpoint(db, window)).map(({ endpoint, method, ...durations }) => ({
    endpoint,
    method,
    count: durations.count,
    avg_ms: averageMs(durations) ?? 0,
    p95_ms: percentileMs(durations, 0.95) ?? 0,
  }));
  return slow.sort((a, b) => b.p95_ms - a.p95_ms || b.count - a.count).slice(0, limit);
}

export async function sumTimingsByStep(
  db: Db,
  window: TimeWindow,
  stepSeconds: number,
): Promise<{ at: Date; durations: Durations }[]> {
  const stepMs = stepSeconds * SECOND_MS;
  const unit: RollUpUnit = stepMs % HOUR_MS === 0 ? "hour" : "minute";
  const steps = new Map(listSteps(window, stepSeconds).map((moment) => [moment.getTime(), noDurations()]));
  const docs = await db.request_timings
    .find({ unit, at: { $gte: floorTo(window.start, UNIT_MS[unit]), $lt: window.end } })
    .project<Pick<RequestTimingDoc, "at" | "all">>({ at: 1, all: 1 })
    .toArray();
  for (const { at, all } of docs) {
    const step = steps.get(floorTo(at, stepMs).getTime());
    if (step) addDurations(step, toDurations(all));
  }
  return [...steps].map(([ms, durations]) => ({ at: new Date(ms), durations }));
}
