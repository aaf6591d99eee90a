import { recordFailedRun } from "#db/jobs/job-runs.server.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { pause } from "#platform/pause.ts";
import { readError } from "#platform/read-error.ts";
import type { Work, WorkerServices } from "#worker/job.ts";
import { type Delivered, deliver, openDeliveryBatch } from "#worker/push/deliver.ts";
import type { PushDelivery } from "#worker/push/delivery.ts";
import { createKeyedQueue } from "#worker/push/keyed-queue.ts";

/** Where deliveries come from. */
export type DeliverySource = {
  /** Claims some of what is owed by now; `claimed` is zero only where there was nothing left to claim. */
  take(claimedUntil: Date): Promise<{ claimed: number; deliveries: PushDelivery[] }>;
  /** When the next is owed, where that is known before. */
  nextAt(): Promise<Date | null>;
};

/** A worker that dies gives its claims back after this long; one at work is done with each well before. */
const CLAIM_MS = 20 * SECOND_MS;
const WAITING_MAX = 200;
/** A run ends after this long even if deliveries never stop, so that its record is written; the next run follows. */
const RUN_MAX_MS = 60 * SECOND_MS;
/** What came due, or came to another worker, since the last look. */
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

/**
 * Sends until nothing is due now or within the time for which it waits. On a stop it finishes deliveries that have begun
 * and releases the other claims at once.
 */
export async function sweep(
  { services, signal, report, writeLog }: SweepWork,
  chooseSource: (services: WorkerServices) => DeliverySource,
): Promise<Record<string, unknown>> {
  const { send } = services.push;
  if (!send) {
    writeLog("Nothing is sent: the worker has no private VAPID key");
    return { skipped: "no_vapid_private_key" };
  }
  const tally: Partial<Record<Delivered | "faults", number>> = {};
  const count = (end: Delivered | "faults") => {
    tally[end] = (tally[end] ?? 0) + 1;
  };
  let total = 0;
  const source = chooseSource(services);
  const endsBy = services.clock().getTime() + RUN_MAX_MS;
  const batch = openDeliveryBatch(services, send);
  const queue = createKeyedQueue<PushDelivery>(async (delivery) => {
    const problems: string[] = [];
    try {
      const end = await deliver(batch, delivery, (problem) => problems.push(problem));
      count(end);
      for (const problem of problems) writeLog(`${describeDelivery(delivery)}: ${problem}`);
      if (end === "delivery_failed") await listGivenUp(services, delivery, problems);
      if (end !== "sent") writeLog(`${describeDelivery(delivery)}: ${ENDS[end]}`);
    } catch (error) {
      // The claim ends by itself and the delivery is tried again.
      count("faults");
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
    } else if (!(await isNextAwaited(services, source, endsBy, signal))) break;
  }
  await giveBackWaiting(services, queue);
  const sent = tally.sent ?? 0;
  writeLog(`Sent ${sent} of ${total}`);
  return tally;
}

/** What was given up is listed with the failed runs, from where it can be sent again. */
async function listGivenUp({ db, clock }: WorkerServices, delivery: PushDelivery, problems: string[]) {
  const { type, id } = delivery.resource;
  const lines = [...problems, `Given up after attempt ${delivery.attempts + 1}`];
  if (type === "note")
    await recordFailedRun(db, "reminder_push", { note_id: id }, "push_given_up", clock(), lines);
  else await recordFailedRun(db, "push_events", { event_id: id }, "push_given_up", clock(), lines);
}

/** On a stop what has begun is finished, and the other claims are released. */
async function giveBackWaiting({ clock }: WorkerServices, queue: DeliveryQueue): Promise<void> {
  for (const delivery of queue.empty()) await delivery.postpone(clock(), delivery.attempts);
  while (queue.atWork > 0) await queue.moved();
}

/** Deliveries that follow closely are one run, so that none waits for the start of another run. */
async function isNextAwaited(
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
