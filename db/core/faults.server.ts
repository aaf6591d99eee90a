import {
  MongoBulkWriteError,
  MongoError,
  MongoErrorLabel,
  MongoInvalidArgumentError,
  MongoParseError,
  MongoServerError,
} from "mongodb";
import { MAX_TIME_EXPIRED, UNKNOWN_FATE } from "#db/core/driver/retryable-errors.ts";

const DUPLICATE_KEY = 11000;
const DISK_FULL = 14031;
const PG_CONNECTION_LOST = /^(08|57P|53|XX000|ECONN|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT|EAI_)/;
/** The driver reports a connection that breaks during a query with these messages and without a code. */
const PG_CONNECTION_BROKEN =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|Query read timeout)/;

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The result of a write, or null if another document has its key already. */
export function skipDuplicate<Result>(write: Promise<Result>): Promise<Result | null> {
  return write.catch((error) => (isDuplicateKey(error) ? null : Promise.reject(error)));
}

/** True if the server ended a query that took longer than its caller waits. */
export function isDeadlineExceeded(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED;
}

/** True if an operator's move has paused writing. Recognised by name, because the web process loads the class twice. */
export function isWritingPaused(error: unknown): boolean {
  return error instanceof MongoError && error.name === "WritingPaused";
}

/** True if the disk of the database is full, by its answer or by an earlier report. The class is recognised by name, too. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof MongoError && (error.name === "DiskFull" || error.code === DISK_FULL);
}

/** Names the kind of fault in a word, without private content. */
export function nameFault(error: unknown): string {
  if (isDeadlineExceeded(error)) return "MaxTimeMSExpired";
  return error instanceof Error ? error.name : typeof error;
}

/** True if all failed writes of a batch met existing documents; the others are done. */
export function hasOnlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicateKey(error);
  const faults = [error.writeErrors].flat();
  return faults.length > 0 && faults.every(({ code }) => code === DUPLICATE_KEY);
}

/**
 * A server's answers that say "not now": missing rights (13), refused logins (18, 8000), lost cursors (43, 237), deadlines (50),
 * no member to ask (133, 134), a dropped plan (175), no majority to write to (100), an interruption (11601), a full disk (14031).
 */
const NOT_NOW = [13, 18, 43, MAX_TIME_EXPIRED, 100, 133, 134, 175, 237, 8000, 11601, DISK_FULL];
const OUTAGE_CODES: ReadonlySet<number> = new Set([...UNKNOWN_FATE, ...NOT_NOW]);

/** True if the databases could not be reached, which passes. A query that the server refuses is our mistake and no outage. */
export function isStorageFault(error: unknown): boolean {
  if (error instanceof MongoError) return isMongoOutage(error);
  if (error instanceof AggregateError) return error.errors.some(isStorageFault);
  if (!(error instanceof Error)) return false;
  return "code" in error
    ? PG_CONNECTION_LOST.test(String(error.code))
    : PG_CONNECTION_BROKEN.test(error.message);
}

function isMongoOutage(error: MongoError): boolean {
  if (error instanceof MongoInvalidArgumentError || error instanceof MongoParseError) return false;
  if (!(error instanceof MongoServerError)) return true;
  return OUTAGE_CODES.has(Number(error.code)) || error.hasErrorLabel(MongoErrorLabel.RetryableWriteError);
}
