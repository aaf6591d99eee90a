import { DavProblem } from "#domain/dav/dav-problem.ts";

export type Depth = "0" | "1" | "infinity";

/** `missing` is the method's default in RFC 4918. */
export function parseDepth(header: string | null, missing: Depth): Depth | DavProblem {
  const depth = header?.trim().toLowerCase() ?? missing;
  if (depth === "0" || depth === "1" || depth === "infinity") return depth;
  return DavProblem(400, "Depth is 0, 1 or infinity.");
}

export function parseOverwrite(header: string | null): boolean | DavProblem {
  const value = header?.trim().toUpperCase() ?? "T";
  return value === "T" || value === "F" ? value === "T" : DavProblem(400, "Overwrite is T or F.");
}

/** Parses the times that clients send: seconds since 1970, or a date of HTTP. */
export function parseModified(header: string | null): Date | null {
  const text = header?.trim() ?? "";
  const date = /^\d{1,11}(\.\d{1,9})?$/.test(text)
    ? new Date(Math.floor(Number(text)) * 1_000)
    : new Date(text);
  return text !== "" && date.getTime() >= 0 && date.getUTCFullYear() < 10_000 ? date : null;
}

const LOCK_SECONDS_MAX = 3_600;

/** Takes the first valid time, at most an hour: clients that still need the lock refresh it. */
export function parseTimeout(header: string | null): number {
  for (const requestedTimeout of header?.split(",") ?? []) {
    const [, seconds] = /^\s*Second-(\d{1,10})\s*$/i.exec(requestedTimeout) ?? [];
    if (seconds !== undefined) return Math.min(Math.max(Number(seconds), 1), LOCK_SECONDS_MAX);
  }
  return LOCK_SECONDS_MAX;
}

export function parseLockToken(header: string | null): string | null {
  return /^\s*<([^<>\s]+)>\s*$/.exec(header ?? "")?.[1] ?? null;
}
