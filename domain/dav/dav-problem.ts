import { isRefusal, REASONS, type Refusal, refusalStatus } from "#domain/refusal.ts";

/**
 * A refusal of WebDAV: the status, the condition of RFC 4918 or 4331 if there is one, and the paths that it is about. Refusals of
 * the library are translated into it.
 */
export type DavProblem = {
  problem: true;
  status: number;
  message: string;
  /** The name of an element in the namespace `DAV:`. */
  condition?: string;
  paths?: readonly (readonly string[])[];
  /** Our own code of the reason. */
  code?: string;
  retryAfter?: number;
};

export function DavProblem(
  status: number,
  message: string,
  more: Pick<DavProblem, "condition" | "paths" | "code" | "retryAfter"> = {},
): DavProblem {
  return { problem: true, status, message, ...more };
}

export function isProblem(value: unknown): value is DavProblem {
  return typeof value === "object" && value !== null && "problem" in value;
}

/** Refusals whose WebDAV status or condition differs from the API's status. */
const DAV_STATUSES: Partial<Record<Refusal["refused"], Pick<DavProblem, "status" | "condition">>> = {
  library_full: { status: 507, condition: "quota-not-exceeded" },
  disk_full: { status: 507, condition: "sufficient-disk-space" },
  folder_limit: { status: 507, condition: "sufficient-disk-space" },
  folder_too_deep: { status: 403 },
  folder_into_itself: { status: 403 },
  version_changed: { status: 412 },
  read_only_token: { status: 403, condition: "need-privileges" },
};

export function toProblem(refusal: Refusal): DavProblem {
  const { error, message = error }: { error: string; message?: string } = REASONS[refusal.refused];
  const { status = refusalStatus(refusal), condition } = DAV_STATUSES[refusal.refused] ?? {};
  const { retry_after } = refusal.context;
  return DavProblem(status, message, {
    code: refusal.refused,
    ...(condition ? { condition } : {}),
    ...(typeof retry_after === "number" ? { retryAfter: retry_after } : {}),
  });
}

export function orProblem<Value>(value: Value | Refusal): Exclude<Value, Refusal> | DavProblem {
  // The compiler does not narrow a generic type.
  return isRefusal(value) ? toProblem(value) : (value as Exclude<Value, Refusal>);
}
