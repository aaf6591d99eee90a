/** Runs a program for a waiting person. */
import type { JobHandler } from "#worker/job.ts";
export const codeRun: JobHandler<"code_run"> = async ({ services, payload, signal, writeLog }) => {
  if (!payload.code_run_id) return { outcome: "nothing_to_run" };
  const startedMs = performance.now();
  const result = await services.runCode(payload.code_run_id, signal);
  writeLog(`Ended after ${Math.round(performance.now() - startedMs)} ms: ${String(result.outcome)}`);
  return result;
};
