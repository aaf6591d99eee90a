/**
 * Makes the driver repeat every write whose fate is unknown. From version 4.4 a server labels the errors after which a write may be
 * repeated; the driver (mongodb 7.8) trusts the label alone. A write that was stored and then lost its primary, or whose majority did
 * not answer in time, comes back as a write concern error that may have no label: whoever sent it saw "failed" and sent it twice.
 *
 * A repeated write carries the number of the first one. A server that has it answers what it answered then, and waits for the majority
 * again; a server that lost it carries it out. So nothing is done twice.
 */
import { createRequire } from "node:module";
import { MongoError, MongoWriteConcernError } from "mongodb";

type NeedsLabel = (error: Error) => boolean;
type ErrorModule = { needsRetryableWriteLabel: NeedsLabel };

const errors: ErrorModule = createRequire(import.meta.url)("mongodb/lib/error.js");
const needsLabel = errors.needsRetryableWriteLabel;

/** Elections, steps down, shutdowns, and a majority that did not answer within its time. */
export const UNKNOWN_FATE: ReadonlySet<number> = new Set([
  6, 7, 64, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);

/** As the answer to a write it means that nothing was done; beside a write that was done, that its majority is still awaited. */
export const MAX_TIME_EXPIRED = 50;

function hasUnknownFate(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (!(error instanceof MongoWriteConcernError)) return UNKNOWN_FATE.has(Number(error.code));
  const code = Number(error.result.writeConcernError?.code ?? error.code);
  return UNKNOWN_FATE.has(code) || code === MAX_TIME_EXPIRED;
}

/** Holds for every client of this process, whenever it was made. */
export function repeatWritesOfUnknownFate(): void {
  errors.needsRetryableWriteLabel = (error) => needsLabel(error) || hasUnknownFate(error);
}
