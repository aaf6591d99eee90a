/**
 * Makes the driver repeat every write with an unknown result. Servers from version 4.4 label the errors after which a write may
 * be repeated, and the driver (mongodb 7.8) trusts only the label. A write whose primary was lost, or whose majority did not
 * answer in time, returns a write concern error that may lack the label; callers would see a failure and send it twice. A
 * repeated write has the number of the first: a server that has it repeats its answer and waits for the majority again, and a
 * server that lost it executes it. So nothing is done twice.
 */
import { createRequire } from "node:module";
import { MongoError, MongoWriteConcernError } from "mongodb";

type NeedsLabel = (error: Error) => boolean;
type ErrorModule = { needsRetryableWriteLabel: NeedsLabel };

const errors: ErrorModule = createRequire(import.meta.url)("mongodb/lib/error.js");
const needsLabel = errors.needsRetryableWriteLabel;

/** Elections, step-downs, shutdowns, and a majority that did not answer in time. */
export const UNKNOWN_FATE: ReadonlySet<number> = new Set([
  6, 7, 64, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** As the answer to a write it means that nothing was done. Beside a write that was done, it means that the majority has not confirmed yet. */
export const MAX_TIME_EXPIRED = 50;

function isWriteOutcomeUnknown(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (!(error instanceof MongoWriteConcernError)) return UNKNOWN_FATE.has(Number(error.code));
  const code = Number(error.result.writeConcernError?.code ?? error.code);
  return UNKNOWN_FATE.has(code) || code === MAX_TIME_EXPIRED;
}

/** Applies to every client of this process, also existing ones. */
export function retryWritesOfUnknownOutcome(): void {
  errors.needsRetryableWriteLabel = (error) => needsLabel(error) || isWriteOutcomeUnknown(error);
}
