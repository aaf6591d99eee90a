import { recordFailedRun } from "#db/jobs/job-runs.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { pause } from "#platform/pause.ts";
import { readError } from "#platform/read-error.ts";
import type { Work, WorkerServices } from "#worker/job.ts";
import { type Delivered, deliver, openDeliveryBatch } from "#worker/push/deliver.ts";
import type { PushDelivery } from "#worker/push/delivery.ts";
import { createKeyedQueue } from "#worker/push/keyed-queue.ts";

export type DeliverySource = {
  /** Claims some of the due deliveries; `claimed` is zero only if none are left. */
  take(claimedUntil: Date): Promise<{ claimed: number; deliveries: PushDelivery[] }>;
  /** When the next delivery is due, if it is known in advance. */
  nextAt(): Promise<Date | null>;
};

/** Claims of a dead worker expire after this; a living worker finishes each well before. */
const CLAIM_MS = 20 * SECOND_MS;
const WAITING_MAX = 200;
/** A run ends after this time even with endless deliveries, so that its record is written; the next run follows. */
const RUN_MAX_MS = 60 * SECOND_MS;
/** The shortest pause before the next delivery. */
const AGAIN_MS = 10;

type SweepWork = Pick<Work<"reminder_push" | "push_events">, "services" | "signal" | "report" | "writeLog">;
type DeliveryQueue = ReturnType<typeof createKeyedQueue<PushDelivery>>;

const describeDelivery = ({ resource: { type, id }, attempts }: PushDelivery) =>
  `${type} ${id}, attempt ${attempts + 1}`;

const ENDS: Record<Exclude<Delivered, "sent">, string> = {
  no_subscriptions: "its person has no device",
  delivery_failed: "given up, no device could be reached",
  postponed: "not delivered, will be tried again",
  stale: "no longer wanted, or taken by another worker",
};

/** Sends until nothing is due now or soon. When stopping, it finishes the deliveries that have begun and releases the other claims at once. */
export async function sendDuePushes(
  { services, signal, report, writeLog }: SweepWork,
  chooseSource: (services: WorkerServices) => DeliverySource,
): Promise<Record<string, unknown>> {
  const { send } = services.push;
  if (!send) {
    writeLog("Nothing is sent: the worker has no private VAPID key");
    return { skipped: "no_vapid_private_key" };
  }
  const tally: Partial<Record<Delivered | "faults", number>> = {};
  const countEnd = (end: Delivered | "faults") => {
    tally[end] = (tally[end] ?? 0) + 1;
  };
  let total = 0;
  const source = chooseSource(services);
  const deadlineMs = services.clock().getTime() + RUN_MAX_MS;
  const batch = openDeliveryBatch(services, send);
  const queue = createKeyedQueue<PushDelivery>(async (delivery) => {
    const problems: string[] = [];
    try {
      const end = await deliver(batch, delivery, (problem) => problems.push(problem));
      countEnd(end);
      for (const problem of problems) writeLog(`${describeDelivery(delivery)}: ${problem}`);
      if (end === "delivery_failed") await recordGivenUp(services, delivery, problems);
      if (end !== "sent") writeLog(`${describeDelivery(delivery)}: ${ENDS[end]}`);
    } catch (error) {
      // The claim expires by itself, and the delivery is tried again.
      countEnd("faults");
      writeLog(`${describeDelivery(delivery)}: ${readError(error).message}`);
      services.log.error("push_faulted", { resource: delivery.resource, error });
    }
  });
  while (!signal.aborted) {
    if (queue.waiting >= WAITING_MAX) {
      await queue.moved();
      continue;
    }
    const { claimed, deliveries } = await source.take(new Date(services.clock().getTime() + CLAIM_MS));
    total += deliveries.length;
    for (const delivery of deliveries) queue.add(delivery.userId, delivery);
    if (claimed > 0) continue;
    if (queue.waiting > 0 || queue.atWork > 0) {
      await queue.emptied();
      await report({ processed_items: total, total_items: total });
    } else if (!(await waitForNextDelivery(services, source, deadlineMs, signal))) break;
  }
  await releaseClaims(services, queue);
  const sent = tally.sent ?? 0;
  writeLog(`Sent ${sent} of ${total}`);
  return tally;
}

/** Records a given-up delivery as a failed run, from which it can be sent again. */
async function recordGivenUp({ db, clock }: WorkerServices, delivery: PushDelivery, problems: string[]) {
  const { type, id } = delivery.resource;
  const lines = [...problems, `Given up after attempt ${delivery.attempts + 1}`];
  if (type === "note")
    await recordFailedRun(db, "reminder_push", { note_id: id }, "push_given_up", clock(), lines);
  else await recordFailedRun(db, "push_events", { event_id: id }, "push_given_up", clock(), lines);
}

/** Releases deliveries that have not begun, then waits for the others. */
async function releaseClaims({ clock }: WorkerServices, queue: DeliveryQueue): Promise<void> {
  for (const delivery of queue.empty()) await delivery.postpone(clock(), delivery.attempts);
  while (queue.atWork > 0) await queue.moved();
}

/** Waits for the next delivery if it is due soon and returns true; otherwise returns false at once. */
async function waitForNextDelivery(
  { push, clock }: WorkerServices,
  source: DeliverySource,
  endsBy: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (!push.lingerMs) return false;
  const nextAt = (await source.nextAt())?.getTime() ?? Number.POSITIVE_INFINITY;
  const inMs = nextAt - clock().getTime();
  if (inMs > push.lingerMs || nextAt > endsBy) return false;
  await pause(Math.max(inMs, AGAIN_MS), signal);
  return true;
}
