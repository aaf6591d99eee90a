import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";

const TOLD_EVERY_MS = 10 * SECOND_MS;

type Options = { timeoutMs: number; log: Log };

/** Does a step of the release, and says what it is and how long it took or is taking. */
type RunStep = <Done>(step: string, work: () => Promise<Done>) => Promise<Done>;

/**
 * All steps together have so much time. When it has passed the process ends with 1 and says which step it waited for; each step
 * can be done again from any point.
 */
export function openReleaseSteps({ timeoutMs, log }: Options): RunStep {
  const underWay = new Set<{ step: string; since: number }>();
  const findOldest = () => underWay.values().next().value;
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
  }, TOLD_EVERY_MS).unref();
  return async (step, work) => {
    const since = performance.now();
    const waiting = { step, since };
    underWay.add(waiting);
    const done = await work();
    underWay.delete(waiting);
    log.info("release_step", { step, ms: Math.round(performance.now() - since) });
    return done;
  };
}
