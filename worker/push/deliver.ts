import {
  areDevicesInForce,
  type Device,
  findReachOfEach,
  type Reach,
  recordDeviceFailed,
  recordDevicesReached,
  removeDeadDevice,
} from "#db/push/push-subscriptions.server.ts";
import { heldMs, retryWaitMs } from "#domain/reminders/push-retry.ts";
import { required } from "#domain/required.ts";
import { MINUTE_MS, SECOND_MS } from "#domain/time/durations.ts";
import { batchCalls } from "#platform/batch-calls.ts";
import type { PushOutcome, SendPush } from "#platform/outbound/web-push.ts";
import type { WorkerServices } from "#worker/job.ts";
import { SEND_TIMEOUT_MS } from "#worker/push/config.ts";
import type { DeliveryEnd, PushDelivery } from "#worker/push/delivery.ts";
import { withPatience } from "#worker/push/keyed-queue.ts";

/** A device that takes longer no longer holds up the person's others. */
const PATIENCE_MS = SECOND_MS / 2;
/** One that did not answer at all is spared the next messages for a while, and they its silence. */
const HELD_AFTER_TIMEOUT_MS = 10 * SECOND_MS;

/** Enough of the hash of a device to find it on its person's list. */
const HASH_SHOWN = 12;

/** How often what is owed to a locked account is looked at. */
const LOCKED_REST_MS = 5 * MINUTE_MS;

/** What became of a delivery in one attempt; `stale` ones were no longer this worker's. */
export type Delivered = DeliveryEnd | "postponed" | "stale";
type Reached = { outcome: PushOutcome; device: Device };
type Attempt = {
  attempt: number;
  devices: Device[];
  held: Device[];
  reachable: Device[];
  reached: Reached[];
  end?: Delivered;
};

/** Told what kept a device from being reached. */
type TellProblem = (problem: string) => void;

/** What all deliveries of one sweep share: who sends, and the common ways to the store. */
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
    findReach: batchCalls((userIds: string[]) => findReachOfEach(db, userIds)),
    isInForce: batchCalls((devices: Device[]) => areDevicesInForce(db, devices)),
    recordReached: batchCalls(async (devices: Device[]) => {
      await recordDevicesReached(db, devices, clock());
      return [];
    }),
  };
}

/**
 * Sends a delivery to every device of its person that does not have it yet, one after the other, and writes down after each
 * send that it was made. A worker that is killed in between leaves at most that one send unwritten; it is then sent again
 * under the same topic and tag, which replaces the first. Before each send the delivery is asked whether it is still wanted,
 * and, from the second on, whether the device still counts.
 */
export async function deliver(
  batch: DeliveryBatch,
  delivery: PushDelivery,
  tellProblem: TellProblem,
): Promise<Delivered> {
  const { services } = batch;
  const { isLocked, devices } = await batch.findReach(delivery.userId);
  if (isLocked) return rest(services, delivery);
  const made = begin(services, delivery, devices);
  if (made.reachable.length === 0) return conclude(services, delivery, made);
  delivery.announceAttempt(made.attempt);

  const sending: Promise<void>[] = [];
  for (const [i, device] of made.reachable.entries()) {
    const [isOwed, isInForce] = await Promise.all([delivery.isOwed(), i === 0 || batch.isInForce(device)]);
    if (isClaimEnding(services, delivery) || !isOwed || !isInForce) {
      await Promise.all(sending);
      return isInForce ? "stale" : giveBack(services, delivery);
    }
    const sent = sendTo(batch, delivery, made, device, tellProblem);
    sending.push(sent);
    await withPatience(sent, PATIENCE_MS);
  }
  await Promise.all(sending);
  return required(made.end, "end of a delivery whose sends are over");
}

/** What is owed to a locked account waits, and is looked at again after a while or when the account is unlocked. */
async function rest({ clock }: WorkerServices, delivery: PushDelivery): Promise<Delivered> {
  await delivery.postpone(new Date(clock().getTime() + LOCKED_REST_MS), delivery.attempts);
  return "postponed";
}

/** For those devices that are left. */
async function giveBack({ clock }: WorkerServices, delivery: PushDelivery): Promise<Delivered> {
  await delivery.postpone(clock(), delivery.attempts);
  return "postponed";
}

function begin({ clock }: WorkerServices, delivery: PushDelivery, devices: Device[]): Attempt {
  const waiting = devices.filter(({ endpoint_hash }) => !delivery.sentTo.includes(endpoint_hash));
  const held = waiting.filter(({ not_before }) => not_before && not_before > clock());
  const reachable = waiting.filter((device) => !held.includes(device));
  return { attempt: delivery.attempts + 1, devices, held, reachable, reached: [] };
}

const isClaimEnding = ({ clock }: WorkerServices, { claimedUntil }: PushDelivery) =>
  claimedUntil.getTime() - clock().getTime() < SEND_TIMEOUT_MS;

/** Whoever ends last concludes the attempt: its own send and the settlement are then one write. */
async function sendTo(
  batch: DeliveryBatch,
  delivery: PushDelivery,
  made: Attempt,
  device: Device,
  tellProblem: TellProblem,
): Promise<void> {
  const outcome = await batch.send(device, delivery.message(device.locale));
  if (outcome.result === "retry" || outcome.result === "refused")
    tellProblem(`Device ${device.endpoint_hash.slice(0, HASH_SHOWN)}: ${outcome.error}`);
  made.reached.push({ outcome, device });
  // One that refused has not got it: it is asked again where another device is tried again, or where somebody retries.
  const served = outcome.result === "delivered" ? device : undefined;
  const account = async () => {
    if (made.reached.length < made.reachable.length) return served && delivery.recordSent(served);
    made.end = await conclude(batch.services, delivery, made, served);
  };
  const taught =
    outcome.result === "delivered"
      ? batch.recordReached(device)
      : recordFailure(batch.services, delivery, device, outcome);
  await Promise.all([account(), taught]);
}

/** What a send that did not arrive taught about its device. */
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

/** How long the device is to be left alone, whatever is to be sent to it. */
function requestedWaitMs(outcome: PushOutcome): number {
  if (outcome.result !== "retry") return 0;
  return heldMs(outcome.waitMs ?? (outcome.error === "timeout" ? HELD_AFTER_TIMEOUT_MS : 0));
}

/** Once every device that could be asked has answered. `last` is the one whose send is not written down yet. */
async function conclude(
  services: WorkerServices,
  delivery: PushDelivery,
  made: Attempt,
  last?: Device,
): Promise<Delivered> {
  const { held, reached, attempt } = made;
  const failed = reached.filter(({ outcome }) => outcome.result === "retry");
  const attempts = reached.length > 0 ? attempt : delivery.attempts;
  const tired = attempts >= services.push.maxAttempts;
  if ((failed.length > 0 || held.length > 0) && !tired) {
    if (last) await delivery.recordSent(last);
    await delivery.postpone(nextAttempt(services, made, failed), attempts);
    return "postponed";
  }
  const end = toDeliveryEnd(delivery, made);
  if (end === "no_subscriptions")
    services.db.emit("push_send_no_subscriptions", { resource: delivery.resource });
  await delivery.settle(end, attempts, last);
  return end;
}

/** As soon as any device may be tried again. */
function nextAttempt({ clock }: WorkerServices, { attempt, held }: Attempt, failed: Reached[]): Date {
  const now = clock().getTime();
  const backoffMs = retryWaitMs(attempt, Math.random());
  const waits = failed.map(({ outcome }) => Math.max(requestedWaitMs(outcome), backoffMs));
  return new Date(
    Math.min(...waits.map((ms) => now + ms), ...held.map(({ not_before }) => not_before?.getTime() ?? now)),
  );
}

/** Reached by one device or more counts as sent; a device that proved gone counts as if it had never been there. */
function toDeliveryEnd(delivery: PushDelivery, { devices, reached }: Attempt): DeliveryEnd {
  const gone = reached.filter(({ outcome }) => outcome.result === "gone").length;
  if (devices.length === gone && delivery.sentTo.length === 0) return "no_subscriptions";
  const delivered = reached.some(({ outcome }) => outcome.result === "delivered");
  return delivered || delivery.sentTo.length > 0 ? "sent" : "delivery_failed";
}
