import type { Device } from "#db/push/push-subscriptions.server.ts";
import type { Locale } from "#domain/locale.ts";
import type { PushText } from "#domain/reminders/push-message.ts";

/**
 * One thing to be told to all devices of one person, claimed by this worker until a moment. Where it is kept is its maker's
 * matter; every verb of it does nothing once the claim has passed on or the thing itself has changed.
 */
export type PushDelivery = {
  userId: string;
  resource: { type: string; id: string };
  /** Attempts so far. */
  attempts: number;
  /** Devices that need it no more. */
  sentTo: readonly string[];
  claimedUntil: Date;
  message(locale: Locale): PushText;
  announceAttempt(attempt: number): void;
  /** Whether it is still wanted, and still this worker's to send. */
  isOwed(): Promise<boolean>;
  recordSent(device: Device): Promise<unknown>;
  /** With the last device it was sent to, where that is not recorded yet. */
  settle(end: DeliveryEnd, attempts: number, last?: Device): Promise<unknown>;
  postpone(until: Date, attempts: number): Promise<unknown>;
};

export type DeliveryEnd = "sent" | "no_subscriptions" | "delivery_failed";
