import { SECOND_MS } from "#platform/clock.ts";
import type { Bench, Work } from "#worker/handlers.ts";
import { type Delivered, deliver, openRound } from "#worker/push/deliver.ts";
import { openLanes } from "#worker/push/lanes.ts";
import type { Parcel } from "#worker/push/parcel.ts";

/** Claims some of what is owed by now; `claimed` is zero only where there was nothing left to claim. */
export type TakeParcels = (claimedUntil: Date) => Promise<{ claimed: number; parcels: Parcel[] }>;

/** A worker that dies gives its claims back after this long; one at work is done with each well before. */
const CLAIM_MS = 20 * SECOND_MS;
const WAITING_MAX = 200;

/** Sends until nothing is owed any more. On a stop it finishes what was begun and gives the rest back at once. */
export async function sweep(
  { bench, signal }: Pick<Work<"reminder_push" | "push_events">, "bench" | "signal">,
  takeFrom: (bench: Bench) => TakeParcels,
): Promise<Record<string, unknown>> {
  const { send } = bench.push;
  if (!send) return { skipped: "no_vapid_private_key" };
  const tally: Partial<Record<Delivered | "faults", number>> = {};
  const count = (end: Delivered | "faults") => {
    tally[end] = (tally[end] ?? 0) + 1;
  };
  const take = takeFrom(bench);
  const round = openRound(bench, send);
  const lanes = openLanes<Parcel>(async (parcel) => {
    try {
      count(await deliver(round, parcel));
    } catch (error) {
      // The claim ends by itself and the parcel is tried again.
      count("faults");
      bench.log.error("push_faulted", { resource: parcel.resource, error });
    }
  });
  while (!signal.aborted) {
    if (lanes.waiting >= WAITING_MAX) {
      await lanes.moved();
      continue;
    }
    const { claimed, parcels } = await take(new Date(bench.clock().getTime() + CLAIM_MS));
    for (const parcel of parcels) lanes.add(parcel.userId, parcel);
    if (claimed > 0) continue;
    if (lanes.waiting === 0 && lanes.atWork === 0) return tally;
    await lanes.moved();
  }
  for (const parcel of lanes.empty()) await parcel.postpone(bench.clock(), parcel.attempts);
  while (lanes.atWork > 0) await lanes.moved();
  return tally;
}
