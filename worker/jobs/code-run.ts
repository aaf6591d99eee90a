/** Runs one program that someone waits for. */
import type { JobHandler } from "#worker/job.ts";
export const codeRun: JobHandler<"code_run"> = async ({ services, payload, signal }) =>
  payload.code_run_id ? services.runCode(payload.code_run_id, signal) : { outcome: "nothing_to_run" };
