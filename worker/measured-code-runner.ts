import { SECOND_MS } from "#domain/time/durations.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import type { CodeRunner } from "#worker/code-runner.ts";

/** Wraps `run` and records the result and duration of each run, including the wait for a process. */
export function measureCodeRunner(run: CodeRunner, metrics: Metrics): CodeRunner {
  for (const outcome of ["failed", "refused"])
    metrics.startAtZero("codeshelf_sandbox_run_seconds", { outcome });
  return async (codeRunId, signal) => {
    const startedAt = performance.now();
    let outcome = "failed";
    try {
      const record = await run(codeRunId, signal);
      outcome = record.outcome;
      return record;
    } finally {
      const seconds = (performance.now() - startedAt) / SECOND_MS;
      metrics.observe("codeshelf_sandbox_run_seconds", seconds, { outcome });
    }
  };
}
