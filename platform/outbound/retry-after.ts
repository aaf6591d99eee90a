/** How long a `Retry-After` header asks to wait, given in seconds or as a date; null where it says nothing usable. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
