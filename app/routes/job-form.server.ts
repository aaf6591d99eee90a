import { z } from "zod";
import { JOB_IDS } from "#domain/jobs.ts";

export const jobForm = z.object({ job_id: z.enum(JOB_IDS), intent: z.enum(["run", "enable", "disable"]) });
