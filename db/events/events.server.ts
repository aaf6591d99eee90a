import { ObjectId } from "mongodb";
import { raiseAlert } from "#db/alerts/alerts.server.ts";
import type { Db, Stores } from "#db/client.ts";
import { hasOnlyDuplicates } from "#db/core/faults.server.ts";
import type { EventDoc } from "#db/events/documents.ts";
import { addEventCounts, type Counted } from "#db/events/event-counts.server.ts";
import { measureEvent } from "#db/events/event-metrics.ts";
import { toEventPerson } from "#db/events/event-person.ts";
import { eventAlarm } from "#domain/alerts/alert-rules.ts";
import { type EventResource, findResource } from "#domain/events/event-resource.ts";
import { type Emit, EVENTS, type EventName } from "#domain/events/events.ts";
import type { Severity } from "#domain/events/severity.ts";
import { floorTo } from "#domain/events/time-window.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import { generateToken } from "#platform/ids.ts";
import type { Log, LogLevel } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { getRequestId } from "#platform/request-id.ts";
import { redact } from "#platform/secrets/redact.ts";

const LOG_LEVELS_BY_SEVERITY: Record<Severity, LogLevel> = {
  debug: "debug",
  info: "info",
  warn: "warn",
  anomaly: "warn",
  error: "error",
  critical: "error",
};

const FLUSH_EVERY_MS = 250;
const BATCH_MAX = 500;
const WAITING_MAX = 5_000;

type EmitterOptions = {
  collections: Stores;
  log: Log;
  metrics: Pick<Metrics, "count" | "observe">;
  clock: Clock;
};
export type Emitter = { emit: Emit; flush(): Promise<void>; close(): Promise<void> };

/**
 * Creates the only function that emits events: they are checked against the catalogue, redacted, logged at once, counted, and
 * stored in batches without making the caller wait. Events by strangers are stored up to a limit per minute and all counted.
 * While the store is unavailable, events wait in memory and the oldest are dropped; all are in the log, and the number of
 * dropped ones is reported when the store is back.
 */
export function createEmitter({ collections, log, metrics, clock }: EmitterOptions): Emitter {
  let waiting: EventDoc[] = [];
  let uncounted: Counted[] = [];
  /** Sent but not confirmed. It is sent again unchanged, so that nothing is counted twice. */
  let counting: { batch: string; events: Counted[] } | null = null;
  const suppressed = new Map<string, Counted & { count: number }>();
  const limit = createEventLimit();
  let dropped = 0;
  metrics.count("codeshelf_events_dropped_total", {}, 0);
  let storing: Promise<void> = Promise.resolve();

  function dropOldest(records: EventDoc[]) {
    const excess = Math.max(0, records.length - WAITING_MAX);
    waiting = excess > 0 ? records.slice(excess) : records;
    if (excess === 0) return;
    dropped += excess;
    metrics.count("codeshelf_events_dropped_total", {}, excess);
  }

  const isAnythingLeft = () => waiting.length + uncounted.length + suppressed.size > 0 || counting !== null;

  /** Counts an event without storing it, summed by name and minute. */
  function countWithoutStoring({ event, timestamp }: EventDoc) {
    const minute = floorTo(timestamp, MINUTE_MS);
    const key = `${event} ${minute.getTime()}`;
    const counted = suppressed.get(key) ?? { event, timestamp: minute, count: 0 };
    counted.count += 1;
    suppressed.set(key, counted);
  }

  async function storeWaiting() {
    while (isAnythingLeft()) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        if (batch.length > 0) await insert(batch);
      } catch (error) {
        dropOldest([...batch, ...waiting]);
        return log.debug("events_not_stored", { count: batch.length, error });
      }
      // Each stored event counts once: a `count` among its own fields has another meaning.
      const stored = batch.map(({ event, timestamp }) => ({ event, timestamp }));
      uncounted = [...uncounted, ...suppressed.values(), ...stored].slice(-WAITING_MAX);
      suppressed.clear();
      await raiseAlarms(batch);
      try {
        await storeCounts();
      } catch (error) {
        return log.debug("events_not_counted", { count: uncounted.length, error });
      }
      reportDropped();
    }
  }

  async function storeCounts() {
    while (counting || uncounted.length > 0) {
      counting ??= { batch: generateToken(6), events: uncounted.splice(0) };
      await addEventCounts(collections, counting.events, counting.batch);
      counting = null;
    }
  }

  /** A batch without an answer is sent again; its events that are already stored cause duplicates, which are ignored. */
  async function insert(batch: EventDoc[]) {
    try {
      await collections.events.insertMany(batch, { ordered: false });
    } catch (error) {
      if (!hasOnlyDuplicates(error)) throw error;
    }
  }

  async function raiseAlarms(batch: EventDoc[]) {
    const db: Db = { ...collections, emit };
    for (const record of batch) {
      const alarm = eventAlarm(record);
      if (!alarm) continue;
      await raiseAlert(db, alarm, record.timestamp).catch((error) =>
        log.warn("alert_not_raised", { rule: alarm.rule, error }),
      );
    }
  }

  function reportDropped() {
    const count = dropped;
    dropped = 0;
    if (count > 0) emit("events_dropped", { count });
  }

  const flush = () => (storing = storing.then(storeWaiting));
  const timer = setInterval(() => isAnythingLeft() && void flush(), FLUSH_EVERY_MS);
  timer.unref();

  const emit: Emit = (name, fields) => {
    try {
      const record = toEventDoc(name, fields, clock());
      if (!record) {
        metrics.count("codeshelf_events_refused_total", { event: name });
        return log.warn("event_refused", { name });
      }
      const limited = limit(name, getMinuteLimit(name), record.timestamp);
      if (!limited.passes) {
        measureEvent(metrics, record);
        return countWithoutStoring(record);
      }
      if (limited.suppressed > 0) record.suppressed = limited.suppressed;
      const { _id, timestamp: _, event: __, ...line } = record;
      log[LOG_LEVELS_BY_SEVERITY[record.severity]](name, line);
      measureEvent(metrics, record);
      waiting.push(record);
      if (waiting.length > WAITING_MAX) dropOldest(waiting);
    } catch (error) {
      log.error("emit_failed", { name, error });
    }
  };
  return {
    emit,
    flush,
    close: async () => {
      clearInterval(timer);
      await flush();
    },
  };
}

const getMinuteLimit = (name: EventName) => {
  const spec = EVENTS[name];
  return "perMinute" in spec ? spec.perMinute : Number.POSITIVE_INFINITY;
};

function toEventDoc(name: EventName, fields: unknown, timestamp: Date): EventDoc | null {
  const spec = EVENTS[name];
  const parsed = spec.fields.safeParse(fields);
  if (!parsed.success) return null;
  const subject = parsed.data.resource ?? findResource(parsed.data);
  return {
    _id: new ObjectId(),
    event: name,
    severity: spec.severity,
    request_id: getRequestId() ?? null,
    timestamp,
    msg_he: spec.msg_he,
    ...redact(parsed.data),
    ...(subject ? { resource: hidePerson(subject) } : {}),
  };
}

const hidePerson = ({ type, id }: EventResource): EventResource => ({
  type,
  id: type === "user" ? toEventPerson(id) : id,
});

type Window = { minute: number; passed: number; suppressed: number };

/** Decides if an event is stored; `suppressed` counts those of its name that were not stored since the last one. */
type LimitResult = { passes: boolean; suppressed: number };

/**
 * Lets a number of events per name and minute pass and counts the others, so that events by strangers cannot fill the store. A
 * clock that was set back begins a new minute.
 */
function createEventLimit(): (name: string, perMinute: number, moment: Date) => LimitResult {
  const windows = new Map<string, Window>();
  return (name, perMinute, moment) => {
    const minute = floorTo(moment, MINUTE_MS).getTime();
    const previous = windows.get(name);
    const window =
      previous?.minute === minute ? previous : { minute, passed: 0, suppressed: previous?.suppressed ?? 0 };
    windows.set(name, window);
    if (window.passed >= perMinute) {
      window.suppressed += 1;
      return { passes: false, suppressed: 0 };
    }
    const { suppressed } = window;
    window.passed += 1;
    window.suppressed = 0;
    return { passes: true, suppressed };
  };
}
