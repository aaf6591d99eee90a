import { toWireAlert } from "#app/operators/observability-wire.server.ts";
import { toContentDisposition } from "#app/web/answers/attachment.ts";
import { readAlerts } from "#db/alerts/alerts.server.ts";
import type { Db } from "#db/client.ts";
import { readEvents } from "#db/events/event-history.server.ts";
import type { TimeWindow } from "#domain/events/time-window.ts";
import { toTimestamp, writeTimestamps } from "#domain/time/timestamp.ts";

type ExportFormat = "json" | "csv";

const TYPES: Record<ExportFormat, string> = {
  json: "application/json",
  csv: "text/csv; charset=utf-8",
};

/** Streams all alerts and events of a time range as a file, so that it is complete and needs little memory. */
export function answerExport(db: Db, window: TimeWindow, format: ExportFormat, now: Date): Response {
  const parts = joinIntoChunks(FORMATS[format](db, window, now));
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    cancel: async () => void (await parts.return(undefined)),
  });
  const name = `codeshelf-observability-${now.toISOString().slice(0, 16).replace(/[-:]/g, "")}.${format}`;
  return new Response(body, {
    headers: {
      "Content-Type": TYPES[format],
      "Content-Disposition": toContentDisposition(name),
      "Cache-Control": "private, no-store",
    },
  });
}

const CHUNK_LENGTH = 64 * 1024;

async function* joinIntoChunks(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  let chunk = "";
  for await (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk) yield chunk;
}

const FORMATS: Record<ExportFormat, (db: Db, window: TimeWindow, now: Date) => AsyncGenerator<string>> = {
  json: async function* (db, window, now) {
    const head = {
      ok: true,
      exported_at: toTimestamp(now),
      window: writeTimestamps({ start_time: window.start, end_time: window.end }),
    };
    yield `${JSON.stringify(head).slice(0, -1)},"alerts":[`;
    yield* joinAsJson(readAlerts(db, window), toWireAlert);
    yield '],"events":[';
    yield* joinAsJson(readEvents(db, window), writeTimestamps);
    yield "]}\n";
  },
  csv: async function* (db, window) {
    // The byte order mark makes spreadsheets read Hebrew.
    yield `\ufeff${COLUMNS.join(",")}\r\n`;
    for await (const { alert_uid, timestamp, name, severity, summary, source, ...alert } of readAlerts(
      db,
      window,
    ))
      yield csvLine(["alert", timestamp, alert_uid, name, severity, summary, source, null, alert.metadata]);
    for await (const { event_id, timestamp, event, severity, msg_he, request_id, ...fields } of readEvents(
      db,
      window,
    ))
      yield csvLine(["event", timestamp, event_id, event, severity, msg_he, "codeshelf", request_id, fields]);
  },
};

async function* joinAsJson<T>(items: AsyncGenerator<T>, onWire: (item: T) => object): AsyncGenerator<string> {
  let between = "";
  for await (const item of items) {
    yield between + JSON.stringify(onWire(item));
    between = ",";
  }
}

const COLUMNS = ["kind", "timestamp", "id", "name", "severity", "summary", "source", "request_id", "fields"];

const csvLine = (cells: unknown[]) => `${cells.map(toCsvCell).join(",")}\r\n`;

/** A spreadsheet reads a cell that begins with one of these as a formula; the apostrophe makes it text. */
const FORMULA = /^[=+\-@\t\r\n|%]/;

function toCsvCell(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ""
      : value instanceof Date
        ? toTimestamp(value)
        : typeof value === "object"
          ? JSON.stringify(value)
          : String(value);
  return `"${(FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
