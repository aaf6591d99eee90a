import type { FaultCode, RequestContext } from "#app/http/request-context.ts";
import { isDiskFull, isStorageFault, isWritingPaused, nameFault } from "#db/faults.server.ts";
import { Refusal } from "#domain/refusal.ts";

/** After how many seconds a request to a database that was away may be repeated. */
const OUTAGE_RETRY_SECONDS = 5;

export function faultRefusal(code: FaultCode): Refusal {
  return Refusal(code, code === "internal" ? {} : { retry_after: OUTAGE_RETRY_SECONDS });
}

/** The client went away while it was sending, as Node says it of any connection. Nobody reads the answer. */
const isAborted = (context: RequestContext, error: unknown) =>
  context.clientGone().aborted && error instanceof Error && error.message === "aborted";

/**
 * Writes down why a request failed, in full to the log and by the fault's kind alone as an event, and says what to answer. That an operator
 * paused writing is no failure, nor that the disk is full, which `/readyz` says, nor that the client went away.
 */
export function recordFault(context: RequestContext, method: string, error: unknown): FaultCode {
  if (isWritingPaused(error)) return "writing_paused";
  if (isDiskFull(error)) return "disk_full";
  if (isAborted(context, error)) return "internal";
  const code = isStorageFault(error) ? "storage_unavailable" : "internal";
  const { log, db } = context.services;
  log.error("request_fault", { method, code, error });
  const resource = { type: "endpoint", id: `${method} ${context.routeName()}` };
  db.emit("request_failed", { method, code, error: nameFault(error), resource });
  return code;
}
