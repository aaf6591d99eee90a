const SECRET_KEY = /token|password|secret|authorization|cookie/i;
const URL_CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;
const MAX_DEPTH = 6;

export const REDACTED = "[redacted]";

/**
 * A copy that is safe to write down: values under keys that hold secrets are replaced, credentials inside URLs are cut,
 * errors become plain objects, and cycles or very deep values end in a mark instead of a failure.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.replace(URL_CREDENTIALS, `$1${REDACTED}@`);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "[deep]";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return redactObject(value, depth);
}

function redactObject(value: object, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    safe[key] = SECRET_KEY.test(key) ? REDACTED : redact(item, depth + 1);
  }
  return safe;
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    name: error.name,
    message: redact(error.message, depth + 1),
    stack: redact(error.stack, depth + 1),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  };
}
