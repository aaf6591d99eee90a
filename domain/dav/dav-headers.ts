import { DavProblem } from "#domain/dav/dav-problem.ts";

export type Depth = "0" | "1" | "infinity";

/** What is missing is taken for what RFC 4918 says of the method. */
export function parseDepth(header: string | null, missing: Depth): Depth | DavProblem {
  const depth = header?.trim().toLowerCase() ?? missing;
  if (depth === "0" || depth === "1" || depth === "infinity") return depth;
  return DavProblem(400, "Depth is 0, 1 or infinity.");
}

export function parseOverwrite(header: string | null): boolean | DavProblem {
  const value = header?.trim().toUpperCase() ?? "T";
  return value === "T" || value === "F" ? value === "T" : DavProblem(400, "Overwrite is T or F.");
}

/** A moment as clients name it: whole seconds since 1970, or a date of HTTP. Null where it is neither. */
export function parseModified(given: string | null): Date | null {
  const text = given?.trim() ?? "";
  const date = /^\d{1,11}(\.\d{1,9})?$/.test(text)
    ? new Date(Math.floor(Number(text)) * 1_000)
    : new Date(text);
  return text !== "" && date.getTime() >= 0 && date.getUTCFullYear() < 10_000 ? date : null;
}

const LOCK_SECONDS_MAX = 3_600;

/** The first of the times that can be kept to, and never more than an hour: a client that is still there asks for more. */
export function parseTimeout(header: string | null): number {
  for (const wish of header?.split(",") ?? []) {
    const [, seconds] = /^\s*Second-(\d{1,10})\s*$/i.exec(wish) ?? [];
    if (seconds !== undefined) return Math.min(Math.max(Number(seconds), 1), LOCK_SECONDS_MAX);
  }
  return LOCK_SECONDS_MAX;
}

/** The token of a `Lock-Token` header. */
export function parseLockToken(header: string | null): string | null {
  return /^\s*<([^<>\s]+)>\s*$/.exec(header ?? "")?.[1] ?? null;
}
