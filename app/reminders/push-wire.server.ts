import { z } from "zod";
import { timestamp } from "#app/web/api/shapes.server.ts";
import type { Device } from "#db/reminders/push/push-subscriptions.server.ts";
import { Refusal } from "#domain/refusal.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";
import { listKeys, pickKeys } from "#domain/typed-keys.ts";
import type { Env } from "#platform/env/env.ts";
import { isOutboundUrl } from "#platform/outbound/outbound.ts";
import { isPublicKey } from "#platform/outbound/vapid.ts";

type SentSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };

const AUTH_BYTES = 16;

/** Returns why a browser's subscription is refused, or null. */
export function checkSubscription({ endpoint, keys }: SentSubscription, env: Env): Refusal | null {
  if (!isOutboundUrl(endpoint, { allowLoopback: env.pushAllowLoopback }))
    return Refusal("endpoint_not_allowed");
  const isAuth = Buffer.from(keys.auth, "base64url").length === AUTH_BYTES;
  return isPublicKey(keys.p256dh) && isAuth ? null : Refusal("invalid_subscription");
}

/** The key of the devices' hashes. With a new session secret, devices get new hashes when they next subscribe. */
export const toHashKey = (env: Env) => `push ${env.sessionSecret}`;

export const deviceShape = z
  .object({
    endpoint_hash: z.string(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    created_at: timestamp,
    active_at: timestamp,
    last_success_at: timestamp.nullable(),
    failing_since: timestamp.nullable(),
  })
  .meta({ id: "Device" });

export function toWireDevice(device: Device) {
  return writeTimestamps(pickKeys(device, listKeys(deviceShape.shape)));
}
