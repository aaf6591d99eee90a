export const WRITE_CONDITIONS = ["If-Match", "If-None-Match", "If-Unmodified-Since"] as const;

export const hasWriteConditions = (headers: Headers): boolean =>
  WRITE_CONDITIONS.some((name) => headers.has(name));

/** Headers count whole seconds. */
export const isNewerThan = (moment: Date, header: string): boolean =>
  Math.floor(moment.getTime() / 1000) * 1000 > Date.parse(header);

/** True if `If-Unmodified-Since` allows a change of the file. `If-Match` takes precedence, and an invalid date is ignored. */
export function allowsChange(headers: Headers, current: { updated_at: Date } | null): boolean {
  const since = headers.get("If-Unmodified-Since");
  return since === null || headers.has("If-Match") || !current || !isNewerThan(current.updated_at, since);
}
