import { isRefusal, REASONS, type Refusal, refusalStatus } from "#domain/refusal.ts";

/**
 * Why WebDAV refuses: a status, a condition that RFC 4918 or 4331 names where there is one, and which addresses it is about. What the
 * rules of the library refuse becomes one of these.
 */
export type DavProblem = {
  problem: true;
  status: number;
  message: string;
  /** An element of the namespace `DAV:`. */
  condition?: string;
  /** The paths that the condition is about. */
  paths?: readonly (readonly string[])[];
  /** Our own name for the reason. */
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

/** Where WebDAV says it with another status than the API, or by a condition. */
const TOLD_BY_DAV: Partial<Record<Refusal["refused"], Pick<DavProblem, "status" | "condition">>> = {
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
  const { status = refusalStatus(refusal), condition } = TOLD_BY_DAV[refusal.refused] ?? {};
  const { retry_after } = refusal.context;
  return DavProblem(status, message, {
    code: refusal.refused,
    ...(condition ? { condition } : {}),
    ...(typeof retry_after === "number" ? { retryAfter: retry_after } : {}),
  });
}

/** The value, or the problem in place of a refusal. */
export function orProblem<Value>(value: Value | Refusal): Exclude<Value, Refusal> | DavProblem {
  // For a type that is still open the compiler does not take a refusal out.
  return isRefusal(value) ? toProblem(value) : (value as Exclude<Value, Refusal>);
}
