import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";

const LOG_EVERY_MS = 10 * SECOND_MS;

type Options = { timeoutMs: number; log: Log };

/** Runs a step of the release and logs its name and duration. */
type RunStep = <Result>(step: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits the time of all steps together. After that, the process logs the step that it waits for and exits with 1. Each step
 * can be repeated from any point.
 */
export function createStepRunner({ timeoutMs, log }: Options): RunStep {
  const runningSteps = new Set<{ step: string; since: number }>();
  const findOldest = () => runningSteps.values().next().value;
  const secondsIn = (since: number) => Math.round((performance.now() - since) / SECOND_MS);
  setTimeout(() => {
    const waiting = findOldest();
    log.error("release_timed_out", {
      step: waiting?.step ?? null,
      seconds: waiting ? secondsIn(waiting.since) : 0,
      message: "The release took longer than RELEASE_TIMEOUT_SECONDS. It can be run again and goes on.",
    });
    process.exit(1);
  }, timeoutMs).unref();
  setInterval(() => {
    const waiting = findOldest();
    if (waiting) log.info("release_waiting", { step: waiting.step, seconds: secondsIn(waiting.since) });
  }, LOG_EVERY_MS).unref();
  return async (step, work) => {
    const since = performance.now();
    const waiting = { step, since };
    runningSteps.add(waiting);
    const result = await work();
    runningSteps.delete(waiting);
    log.info("release_step", { step, ms: Math.round(performance.now() - since) });
    return result;
  };
}
