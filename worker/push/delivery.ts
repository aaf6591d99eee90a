import type { Device } from "#db/reminders/push/push-subscriptions.server.ts";
import type { Locale } from "#domain/locale.ts";
import type { PushText } from "#domain/reminders/push-message.ts";

/**
 * A message to all devices of a person, claimed by this worker until a time. Its source stores it; every function does nothing
 * after the claim was lost or the message changed.
 */
export type PushDelivery = {
  userId: string;
  resource: { type: string; id: string };
  attempts: number;
  /** Devices that already have it. */
  sentTo: readonly string[];
  claimedUntil: Date;
  message(locale: Locale): PushText;
  announceAttempt(attempt: number): void;
  /** True if it is still wanted and still claimed by this worker. */
  isOwed(): Promise<boolean>;
  recordSent(device: Device): Promise<unknown>;
  /** `last` is the last device, if its send is not recorded yet. */
  settle(end: DeliveryEnd, attempts: number, last?: Device): Promise<unknown>;
  postpone(until: Date, attempts: number): Promise<unknown>;
};

export type DeliveryEnd = "sent" | "no_subscriptions" | "delivery_failed";
