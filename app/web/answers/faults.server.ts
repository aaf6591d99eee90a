import type { FaultCode, RequestContext } from "#app/web/request-context.ts";
import { isDiskFull, isStorageFault, isWritingPaused, nameFault } from "#db/core/faults.server.ts";
import { Refusal } from "#domain/refusal.ts";

const OUTAGE_RETRY_SECONDS = 5;

export function toFaultRefusal(code: FaultCode): Refusal {
  return Refusal(code, code === "internal" ? {} : { retry_after: OUTAGE_RETRY_SECONDS });
}

/** The client went away while it was sending; nobody reads the answer. Node reports it with this message for any connection. */
const isAborted = (context: RequestContext, error: unknown) =>
  context.clientGone().aborted && error instanceof Error && error.message === "aborted";

/**
 * Records why a request failed, in full in the log and by the kind of fault in the event, and returns the code to answer with. Paused
 * writing, a full disk (which `/readyz` reports) and a client that went away are no failures.
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
