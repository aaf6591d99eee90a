import { z } from "zod";
import { JOB_IDS } from "#domain/jobs/jobs.ts";

const runId = z.string().max(60);
/** A form sends a single checkbox as one value, not as a list. */
const runIds = z.preprocess(
  (value) => (typeof value === "string" ? [value] : value),
  z.array(runId).max(100),
);

export const jobForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["run", "enable", "disable", "pause", "resume"]), job_id: z.enum(JOB_IDS) }),
  z.object({ intent: z.literal("cancel"), run_id: runId }),
  // One run by its own button, the runs with checked boxes, or all shown runs.
  z.object({
    intent: z.enum(["retry", "dismiss", "restore"]),
    all: z.string().optional(),
    shown: runIds.default([]),
    run_id: runIds.default([]),
  }),
]);

type RunsForm = Extract<z.output<typeof jobForm>, { shown: string[] }>;

export const listChosenRuns = ({ all, shown, run_id }: RunsForm): string[] =>
  all === undefined ? run_id : shown;
