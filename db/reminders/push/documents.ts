import type { ObjectId } from "mongodb";
import type { DeviceKind } from "#domain/accounts/device.ts";
import type { Locale } from "#domain/locale.ts";

/**
 * The outbox of messages to a person's devices. Other services also write rows, with only the fields above the line; those
 * below belong to the worker and may be missing. A row is due while `needs_push` is true; `retry_at` is the end of a worker's
 * claim or the time of the next attempt.
 */
export type PushEventDoc = {
  _id: ObjectId;
  user_id: string;
  kind: string;
  file_id?: string | null;
  file_name?: string | null;
  created?: boolean;
  note_id?: string | null;
  created_at: Date;
  needs_push: boolean;
  attempts?: number;
  sent_at?: Date | null;
  skipped_reason?: SkippedReason | null;
  // ————
  retry_at?: Date | null;
  /** The devices (by endpoint hash) that need it no longer; written after each send. */
  sent_to?: string[];
};

export type SkippedReason = "no_subscriptions" | "unknown_kind" | "incomplete_event" | "delivery_failed";

/**
 * The browsers on which a person gets notifications. The endpoint is a secret of its device: elsewhere a device is identified
 * by `endpoint_hash`, which is keyed, so that a person who knows an endpoint cannot find out whose it is.
 */
export type PushSubscriptionDoc = {
  _id: ObjectId;
  user_id: string;
  endpoint: string;
  endpoint_hash: string;
  p256dh: string;
  auth: string;
  locale: Locale;
  browser: DeviceKind["browser"];
  system: DeviceKind["system"];
  /** The session that subscribed it; null for a token. */
  session_key?: string | null;
  created_at: Date;
  /** When it last subscribed or was last reached. */
  active_at: Date;
  last_success_at: Date | null;
  /** The first failed attempt since it was last reached; null without one. */
  failing_since: Date | null;
  /** Its push service asked for no messages until then. */
  not_before: Date | null;
  epoch?: number;
};
