import { MongoError, MongoServerError } from "mongodb";

export const DUPLICATE_KEY = 11000;
const PG_CONNECTION_LOST = /^(08|57P|53|XX000|ECONN|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT|EAI_)/;
/** A connection that breaks under a query is told by the driver in these words and without a code. */
const PG_CONNECTION_BROKEN =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|Query read timeout)/;

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The databases could not be asked: an outage to wait for, not a mistake of ours. A broken unique rule is ours. */
export function isStorageFault(error: unknown): boolean {
  if (error instanceof MongoError) return !isDuplicateKey(error);
  if (error instanceof AggregateError) return error.errors.some(isStorageFault);
  if (!(error instanceof Error)) return false;
  return "code" in error
    ? PG_CONNECTION_LOST.test(String(error.code))
    : PG_CONNECTION_BROKEN.test(error.message);
}
