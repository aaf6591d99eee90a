import type { JobHandler } from "#worker/handlers.ts";

/** Runs one program that someone waits for. */
export const codeRun: JobHandler<"code_run"> = async ({ bench, payload, signal }) =>
  payload.code_run_id ? bench.runCode(payload.code_run_id, signal) : { outcome: "nothing_to_run" };
