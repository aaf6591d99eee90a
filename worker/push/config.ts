import { SECOND_MS } from "#domain/time/durations.ts";
import type { Clock } from "#platform/clock.ts";
import type { Env } from "#platform/env/env.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { measurePush } from "#platform/outbound/measured-push.ts";
import { createOutbound } from "#platform/outbound/outbound.ts";
import { createPushSender, type SendPush } from "#platform/outbound/web-push.ts";

/** The services for sending, created once per worker. Without the private key `send` is null. */
export type PushConfig = {
  send: SendPush | null;
  maxAttempts: number;
  /** A run with nothing left to send waits for deliveries that become due within this time; without it the run ends. */
  lingerMs?: number;
  close(): void;
};

export const SEND_TIMEOUT_MS = 8 * SECOND_MS;
const LINGER_MS = 2 * SECOND_MS;

export function openPushConfig(
  env: Pick<Env, "vapid" | "pushAllowLoopback" | "pushMaxAttempts">,
  clock: Clock,
  metrics: Metrics,
): PushConfig {
  const outbound = createOutbound({ allowLoopback: env.pushAllowLoopback });
  const { vapid } = env;
  const sender = () => createPushSender({ vapid, outbound, timeoutMs: SEND_TIMEOUT_MS, clock });
  return {
    send: vapid.privateKey ? measurePush(sender(), metrics) : null,
    maxAttempts: env.pushMaxAttempts,
    lingerMs: LINGER_MS,
    close: () => outbound.close(),
  };
}
