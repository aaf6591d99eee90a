import { getRequestId } from "#platform/request-id.ts";
import { redact } from "#platform/secrets/redact.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type LogFields = Record<string, unknown>;
export type Log = Record<LogLevel, (name: string, fields?: LogFields) => void>;

type LogOptions = { process: string; level: LogLevel; write?: (line: string) => void };

/** Writes one JSON line per record. A record that cannot be written is lost without an error. */
export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => process.stdout.write(line));
  const lowest = LOG_LEVELS.indexOf(options.level);
  const createWriter =
    (level: LogLevel) =>
    (name: string, fields: LogFields = {}) => {
      if (LOG_LEVELS.indexOf(level) < lowest) return;
      write(logLine(options.process, level, name, fields));
    };
  return {
    debug: createWriter("debug"),
    info: createWriter("info"),
    warn: createWriter("warn"),
    error: createWriter("error"),
  };
}

function logLine(processName: string, level: LogLevel, name: string, fields: LogFields): string {
  const head = {
    timestamp: new Date().toISOString(),
    severity: level,
    event: name,
    process: processName,
    request_id: getRequestId(),
  };
  try {
    return `${JSON.stringify({ ...head, ...redact(fields) })}\n`;
  } catch {
    return `${JSON.stringify({ ...head, unwritable_fields: Object.keys(fields) })}\n`;
  }
}

/** Writes nothing: for tests, and for tools whose output is a report. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
