import { type Collection, ObjectId } from "mongodb";
import { type Emit, EVENTS, type EventName, type Severity } from "#domain/events.ts";
import type { Clock } from "#platform/clock.ts";
import type { Log, LogLevel } from "#platform/log.ts";
import type { Metrics } from "#platform/metrics.ts";
import { redact } from "#platform/redact.ts";
import { currentRequestId } from "#platform/request-id.ts";

export type EventDoc = {
  _id: ObjectId;
  event: string;
  severity: Severity;
  request_id: string | null;
  timestamp: Date;
  msg_he: string;
  resource?: { type: string; id: string };
  [field: string]: unknown;
};

const LEVEL_OF: Record<Severity, LogLevel> = {
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

type Parts = { events: Collection<EventDoc>; log: Log; metrics: Metrics; clock: Clock };
export type Emitter = { emit: Emit; flush(): Promise<void>; close(): Promise<void> };

/**
 * The one way an event leaves the code: checked against the catalogue, redacted, written as a log line at once, counted, and
 * stored in batches behind the caller's back. While the store is away events wait in memory, the oldest giving way; the log
 * has them all.
 */
export function createEmitter({ events, log, metrics, clock }: Parts): Emitter {
  let waiting: EventDoc[] = [];
  let storing: Promise<void> = Promise.resolve();

  async function storeWaiting() {
    const batch = waiting.splice(0, BATCH_MAX);
    if (batch.length === 0) return;
    try {
      await events.insertMany(batch, { ordered: false });
    } catch (error) {
      waiting = [...batch, ...waiting].slice(-WAITING_MAX);
      log.debug("events_not_stored", { count: batch.length, error });
    }
  }
  const flush = () => (storing = storing.then(storeWaiting));
  const timer = setInterval(() => waiting.length > 0 && void flush(), FLUSH_EVERY_MS);
  timer.unref();

  const emit: Emit = (name, fields) => {
    try {
      const record = recordOf(name, fields, clock());
      if (!record) return log.warn("event_refused", { name });
      const { _id, timestamp: _, event: __, ...line } = record;
      log[LEVEL_OF[record.severity]](name, line);
      metrics.count("codeshelf_events_total", { event: name });
      waiting.push(record);
      if (waiting.length > WAITING_MAX) waiting.shift();
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

function recordOf(name: EventName, fields: unknown, timestamp: Date): EventDoc | null {
  const spec = EVENTS[name];
  const parsed = spec.fields.safeParse(fields);
  if (!parsed.success) return null;
  return {
    _id: new ObjectId(),
    event: name,
    severity: spec.severity,
    request_id: currentRequestId() ?? null,
    timestamp,
    msg_he: spec.msg_he,
    ...(redact(parsed.data) as Record<string, unknown>),
  };
}
