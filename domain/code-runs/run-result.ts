import { DAY_MS } from "#domain/time/durations.ts";
/** Results of runs are kept beside the file that was run: for how long, and how many of one file. */
export const RUN_RESULT_DAYS = 30;
export const RUN_RESULTS_PER_FILE = 20;

export function runResultExpiry(ranAt: Date): Date {
  return new Date(ranAt.getTime() + RUN_RESULT_DAYS * DAY_MS);
}
