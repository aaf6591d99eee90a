/** Writes that carry a session and a number: retryable writes. */
import type { RetryableWrite } from "../retryable-writes.ts";
import type { Sessions } from "../sessions.ts";
import { fail } from "../values/errors.ts";
import { type Doc, typeName, type Value } from "../values/values.ts";

const RETRYABLE_WRITE_ERROR = "RetryableWriteError";
/** Errors after which another attempt at the same write may succeed, by MongoDB's specification of retryable writes. */
const RETRYABLE_CODES = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

export function checkTransactionFields(name: string, fields: Doc, command: { retryable?: true }): void {
  if (fields.has("startTransaction") || fields.has("autocommit"))
    fail(20, "Multi-document transactions are not supported by the embedded engine");
  const number = fields.get("txnNumber");
  if (number === undefined) return;
  if (!command.retryable)
    fail(
      50768,
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${name} is not a retryable write command.`,
    );
  if (typeof number !== "bigint")
    fail(14, `BSON field 'txnNumber' is the wrong type '${typeName(number)}', expected type 'long'`);
  if (number < 0n) fail(72, "Transaction number cannot be negative");
  if (!fields.has("lsid")) fail(72, "Transaction number requires a session ID to also be specified");
}

/** Runs a write with its record of earlier attempts if it has a number, otherwise without one. */
export function runRetryable<T>(
  { fields, engine }: { fields: Doc; engine: { sessions: Sessions } },
  command: string,
  run: (write: RetryableWrite | undefined) => Promise<T>,
): Promise<T> {
  const number = fields.get("txnNumber");
  return typeof number === "bigint"
    ? engine.sessions.runWrite(fields.get("lsid"), number, command, run)
    : run(undefined);
}

/** Returns the labels for a numbered write that failed with this error, or undefined. */
export function toErrorLabels(fields: Doc, code: number): Value[] | undefined {
  return fields.has("txnNumber") && RETRYABLE_CODES.has(code) ? [RETRYABLE_WRITE_ERROR] : undefined;
}
