import type { Visit } from "#app/http/visit.ts";
import { isStorageFault } from "#db/faults.server.ts";

export type FaultCode = "storage_unavailable" | "internal";

/** Writes down why a request failed, in full to the log and by the fault's kind alone as an event, and says what to answer. */
export function recordFault(visit: Visit, method: string, error: unknown): FaultCode {
  const code = isStorageFault(error) ? "storage_unavailable" : "internal";
  const { log, db } = visit.shelf;
  log.error("request_fault", { method, code, error });
  db.emit("request_failed", { method, code, error: error instanceof Error ? error.name : typeof error });
  return code;
}
