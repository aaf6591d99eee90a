/** Parses a `Retry-After` header, in seconds or as a date; null for unusable values. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const timeMs = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? null : Math.max(0, timeMs - now.getTime());
}
