/** ISO 8601 in UTC with milliseconds and an explicit offset: `2026-11-14T09:00:00.000+00:00`. */
export function toTimestamp(moment: Date): string {
  return moment.toISOString().replace("Z", "+00:00");
}

export function toTimestampOrNull(moment: Date | null | undefined): string | null {
  return moment ? toTimestamp(moment) : null;
}
