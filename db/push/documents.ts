import type { ObjectId } from "mongodb";
import type { DeviceKind } from "#domain/accounts/device.ts";
import type { Locale } from "#domain/locale.ts";

/**
 * The outbox of messages to a person's devices. Other services write rows into it too, with the fields above the
 * line alone; what stands below it is the worker's and may be missing. A row is owed while `needs_push` is true; `retry_at` is
 * the end of a worker's claim or the moment of the next attempt.
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
  /** The devices (by endpoint hash) that need it no more; written after each send. */
  sent_to?: string[];
};

export type SkippedReason = "no_subscriptions" | "unknown_kind" | "incomplete_event" | "delivery_failed";

/**
 * The browsers that a person wants to be reached on. The endpoint is a secret of its device: outside this collection a device
 * is known by `endpoint_hash`, which is keyed, so that nobody who knows an endpoint can find out whose it is.
 */
export type PushSubscriptionDoc = {
  _id: ObjectId;
  user_id: string;
  endpoint: string;
  endpoint_hash: string;
  p256dh: string;
  auth: string;
  /** In which language this device is spoken to. */
  locale: Locale;
  browser: DeviceKind["browser"];
  system: DeviceKind["system"];
  /** The session it was subscribed in; null where a token did it. */
  session_key?: string | null;
  created_at: Date;
  /** When it last subscribed, or was last reached. */
  active_at: Date;
  last_success_at: Date | null;
  /** Since when it could not be reached; null while it can. */
  failing_since: Date | null;
  /** Its push service asked to be left alone until then. */
  not_before: Date | null;
  epoch?: number;
};
