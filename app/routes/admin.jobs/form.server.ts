import { z } from "zod";
import { JOB_IDS } from "#domain/jobs/jobs.ts";

const runId = z.string().max(60);
/** A box that is alone comes as one value. */
const runIds = z.preprocess(
  (given) => (typeof given === "string" ? [given] : given),
  z.array(runId).max(100),
);

export const jobForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["run", "enable", "disable", "pause", "resume"]), job_id: z.enum(JOB_IDS) }),
  z.object({ intent: z.literal("cancel"), run_id: runId }),
  // One run by its own button, all that are shown, or those whose boxes are checked.
  z.object({
    intent: z.literal("retry"),
    only: runId.optional(),
    all: z.string().optional(),
    shown: runIds.default([]),
    run_id: runIds.default([]),
  }),
]);

type JobForm = z.output<typeof jobForm>;

export function chosenRuns({ only, all, shown, run_id }: Extract<JobForm, { intent: "retry" }>): string[] {
  if (only !== undefined) return [only];
  return all === undefined ? run_id : shown;
}
