import {
  areDevicesActive,
  type Device,
  findReachPerOwner,
  type Reach,
  recordDeviceFailed,
  recordDevicesReached,
  removeDeadDevice,
} from "#db/reminders/push/push-subscriptions.server.ts";
import { limitHoldMs, retryWaitMs } from "#domain/reminders/push-retry.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { batchCalls } from "#platform/batch-calls.ts";
import type { PushOutcome, SendPush } from "#platform/outbound/web-push.ts";
import type { WorkerServices } from "#worker/job.ts";
import { SEND_TIMEOUT_MS } from "#worker/push/config.ts";
import type { DeliveryEnd, PushDelivery } from "#worker/push/delivery.ts";
import { awaitAtMost } from "#worker/push/keyed-queue.ts";

/** A slower device does not delay the person's other devices. */
const PATIENCE_MS = SECOND_MS / 2;
/** After a timeout, a device gets no messages for a while, so that it does not delay them. */
const HELD_AFTER_TIMEOUT_MS = 10 * SECOND_MS;

/** Enough of a device's hash to find it on its person's list. */
const HASH_SHOWN = 12;

/** The delay before deliveries to a locked account are checked again. */
const LOCKED_REST_MS = 5 * MINUTE_MS;

/** The result of one attempt; `stale` deliveries no longer belonged to this worker. */
export type Delivered = DeliveryEnd | "postponed" | "stale";
type DeviceOutcome = { outcome: PushOutcome; device: Device };
type Attempt = {
  attempt: number;
  devices: Device[];
  held: Device[];
  reachable: Device[];
  reached: DeviceOutcome[];
  end?: Delivered;
};

/** Gets the reason why a device was not reached. */
type TellProblem = (problem: string) => void;

/** Shared by all deliveries of a sweep: the sender, and batched access to the store. */
type DeliveryBatch = {
  services: WorkerServices;
  send: SendPush;
  findReach(userId: string): Promise<Reach>;
  isInForce(device: Device): Promise<boolean>;
  recordReached(device: Device): Promise<void>;
};

export function openDeliveryBatch(services: WorkerServices, send: SendPush): DeliveryBatch {
  const { db, clock } = services;
  return {
    services,
    send,
    findReach: batchCalls((userIds: string[]) => findReachPerOwner(db, userIds)),
    isInForce: batchCalls((devices: Device[]) => areDevicesActive(db, devices)),
    recordReached: batchCalls(async (devices: Device[]) => {
      await recordDevicesReached(db, devices, clock());
      return [];
    }),
  };
}

/**
 * Sends a delivery to each device of its person that has not got it, one after another, and records each send. A worker killed
 * in between leaves at most one send unrecorded; it is repeated under the same topic and tag and replaces the first. Before
 * each send it checks that the delivery is still wanted and, from the second send on, that the device still counts.
 */
export async function deliver(
  batch: DeliveryBatch,
  delivery: PushDelivery,
  tellProblem: TellProblem,
): Promise<Delivered> {
  const { services } = batch;
  const { isLocked, devices } = await batch.findReach(delivery.userId);
  if (isLocked) return postponeLocked(services, delivery);
  const attempt = beginAttempt(services, delivery, devices);
  if (attempt.reachable.length === 0) return finishAttempt(services, delivery, attempt);
  delivery.announceAttempt(attempt.attempt);

  const sending: Promise<void>[] = [];
  for (const [i, device] of attempt.reachable.entries()) {
    const [isOwed, isInForce] = await Promise.all([delivery.isOwed(), i === 0 || batch.isInForce(device)]);
    if (isClaimEnding(services, delivery) || !isOwed || !isInForce) {
      await Promise.all(sending);
      return isInForce ? "stale" : releaseDelivery(services, delivery);
    }
    const sent = sendToDevice(batch, delivery, attempt, device, tellProblem);
    sending.push(sent);
    await awaitAtMost(sent, PATIENCE_MS);
  }
  await Promise.all(sending);
  return required(attempt.end, "end of a delivery whose sends are over");
}

/** Deliveries to a locked account wait; they are checked again after a while or when the account is unlocked. */
async function postponeLocked({ clock }: WorkerServices, delivery: PushDelivery): Promise<Delivered> {
  await delivery.postpone(new Date(clock().getTime() + LOCKED_REST_MS), delivery.attempts);
  return "postponed";
}

/** Releases the delivery for the remaining devices. */
async function releaseDelivery({ clock }: WorkerServices, delivery: PushDelivery): Promise<Delivered> {
  await delivery.postpone(clock(), delivery.attempts);
  return "postponed";
}

function beginAttempt({ clock }: WorkerServices, delivery: PushDelivery, devices: Device[]): Attempt {
  const waiting = devices.filter(({ endpoint_hash }) => !delivery.sentTo.includes(endpoint_hash));
  const held = waiting.filter(({ not_before }) => not_before && not_before > clock());
  const reachable = waiting.filter((device) => !held.includes(device));
  return { attempt: delivery.attempts + 1, devices, held, reachable, reached: [] };
}

const isClaimEnding = ({ clock }: WorkerServices, { claimedUntil }: PushDelivery) =>
  claimedUntil.getTime() - clock().getTime() < SEND_TIMEOUT_MS;

/** The last send to finish concludes the attempt, so that its record and the settlement are a single write. */
async function sendToDevice(
  batch: DeliveryBatch,
  delivery: PushDelivery,
  attempt: Attempt,
  device: Device,
  tellProblem: TellProblem,
): Promise<void> {
  const outcome = await batch.send(device, delivery.message(device.locale));
  if (outcome.result === "retry" || outcome.result === "refused")
    tellProblem(`Device ${device.endpoint_hash.slice(0, HASH_SHOWN)}: ${outcome.error}`);
  attempt.reached.push({ outcome, device });
  // A device that refused has not got the message: it is tried again when another device is, or when a person retries.
  const served = outcome.result === "delivered" ? device : undefined;
  const recordOutcome = async () => {
    if (attempt.reached.length < attempt.reachable.length) return served && delivery.recordSent(served);
    attempt.end = await finishAttempt(batch.services, delivery, attempt, served);
  };
  const deviceUpdate =
    outcome.result === "delivered"
      ? batch.recordReached(device)
      : recordFailure(batch.services, delivery, device, outcome);
  await Promise.all([recordOutcome(), deviceUpdate]);
}

async function recordFailure(
  { db, clock }: WorkerServices,
  { resource }: PushDelivery,
  device: Device,
  outcome: Exclude<PushOutcome, { result: "delivered" }>,
): Promise<void> {
  const now = clock();
  if (outcome.result === "gone") return void (await removeDeadDevice(db, device));
  const { endpoint_hash } = device;
  db.emit("push_send_error", { endpoint_hash, status: outcome.status, error: outcome.error, resource });
  const waitMs = requestedWaitMs(outcome);
  await recordDeviceFailed(db, device, waitMs > 0 ? new Date(now.getTime() + waitMs) : null, now);
}

/** Returns how long no message may be sent to the device. */
function requestedWaitMs(outcome: PushOutcome): number {
  if (outcome.result !== "retry") return 0;
  return limitHoldMs(outcome.waitMs ?? (outcome.error === "timeout" ? HELD_AFTER_TIMEOUT_MS : 0));
}

/** Concludes an attempt after every reachable device answered. `last` is the device whose send is not recorded yet. */
async function finishAttempt(
  services: WorkerServices,
  delivery: PushDelivery,
  attemptState: Attempt,
  last?: Device,
): Promise<Delivered> {
  const { held, reached, attempt } = attemptState;
  const failed = reached.filter(({ outcome }) => outcome.result === "retry");
  const attempts = reached.length > 0 ? attempt : delivery.attempts;
  const isExhausted = attempts >= services.push.maxAttempts;
  if ((failed.length > 0 || held.length > 0) && !isExhausted) {
    if (last) await delivery.recordSent(last);
    await delivery.postpone(nextAttempt(services, attemptState, failed), attempts);
    return "postponed";
  }
  const end = toDeliveryEnd(delivery, attemptState);
  if (end === "no_subscriptions")
    services.db.emit("push_send_no_subscriptions", { resource: delivery.resource });
  await delivery.settle(end, attempts, last);
  return end;
}

/** Returns the earliest time at which any device may be tried again. */
function nextAttempt({ clock }: WorkerServices, { attempt, held }: Attempt, failed: DeviceOutcome[]): Date {
  const now = clock().getTime();
  const backoffMs = retryWaitMs(attempt, Math.random());
  const waits = failed.map(({ outcome }) => Math.max(requestedWaitMs(outcome), backoffMs));
  return new Date(
    Math.min(...waits.map((ms) => now + ms), ...held.map(({ not_before }) => not_before?.getTime() ?? now)),
  );
}

/** A delivery to at least one device counts as sent; a device that is gone counts as if it never existed. */
function toDeliveryEnd(delivery: PushDelivery, { devices, reached }: Attempt): DeliveryEnd {
  const gone = reached.filter(({ outcome }) => outcome.result === "gone").length;
  if (devices.length === gone && delivery.sentTo.length === 0) return "no_subscriptions";
  const delivered = reached.some(({ outcome }) => outcome.result === "delivered");
  return delivered || delivery.sentTo.length > 0 ? "sent" : "delivery_failed";
}
