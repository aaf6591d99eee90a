import { type Clock, SECOND_MS } from "#platform/clock.ts";
import type { Env } from "#platform/env.ts";
import { createOutbound } from "#platform/outbound.ts";
import { createPushSender, type SendPush } from "#platform/web-push.ts";

/** What sending takes: made once at the worker's door. Without the private key there is nothing to send with. */
export type PushDesk = { send: SendPush | null; maxAttempts: number; close(): void };

export const SEND_TIMEOUT_MS = 8 * SECOND_MS;

export function openPushDesk(
  env: Pick<Env, "vapid" | "pushAllowLoopback" | "pushMaxAttempts">,
  clock: Clock,
): PushDesk {
  const outbound = createOutbound({ allowLoopback: env.pushAllowLoopback });
  const { vapid } = env;
  return {
    send: vapid.privateKey ? createPushSender({ vapid, outbound, timeoutMs: SEND_TIMEOUT_MS, clock }) : null,
    maxAttempts: env.pushMaxAttempts,
    close: () => outbound.close(),
  };
}
