import { z } from "zod";
import { JOB_IDS } from "#domain/jobs/jobs.ts";

export const jobForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["run", "enable", "disable"]), job_id: z.enum(JOB_IDS) }),
  z.object({ intent: z.literal("cancel"), run_id: z.string().max(60) }),
]);
