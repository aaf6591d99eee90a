import { DAY_MS } from "#domain/time/durations.ts";
/** A file keeps its last run results for a limited time. */
export const RUN_RESULT_DAYS = 30;
export const RUN_RESULTS_PER_FILE = 20;

export function computeRunResultExpiry(ranAt: Date): Date {
  return new Date(ranAt.getTime() + RUN_RESULT_DAYS * DAY_MS);
}
