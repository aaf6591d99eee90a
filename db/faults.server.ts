import { MongoError, MongoServerError } from "mongodb";

export const DUPLICATE_KEY = 11000;
const PG_CONNECTION_LOST = /^(08|57P|53|XX000|ECONN|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT|EAI_)/;

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** The databases could not be asked: an outage to wait for, not a mistake of ours. A broken unique rule is ours. */
export function isStorageFault(error: unknown): boolean {
  if (error instanceof MongoError) return !isDuplicateKey(error);
  if (error instanceof AggregateError) return error.errors.some(isStorageFault);
  return error instanceof Error && "code" in error && PG_CONNECTION_LOST.test(String(error.code));
}
