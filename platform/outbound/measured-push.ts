import type { Metrics } from "#platform/metrics/metrics.ts";
import type { SendPush } from "#platform/outbound/web-push.ts";

/** Wraps `send` and records the result and duration of each call. */
export function measurePush(send: SendPush, metrics: Metrics): SendPush {
  for (const result of ["retry", "refused"]) metrics.startAtZero("codeshelf_push_send_seconds", { result });
  return async (target, message) => {
    const startedAt = performance.now();
    const outcome = await send(target, message);
    const seconds = (performance.now() - startedAt) / 1_000;
    metrics.observe("codeshelf_push_send_seconds", seconds, { result: outcome.result });
    return outcome;
  };
}
