/**
 * How many requests a second an address takes while 99 of 100 are answered within 100 ms and none fails: the most over connections that
 * each ask again as soon as they are answered. A rate is not given, because autocannon sends what is due in a second as one burst at its
 * beginning, so that every rate is measured as a crowd of all connections at once.
 */

import autocannon, { type Options, type Result } from "autocannon";
import { itemAt } from "#domain/required.ts";
import { quick } from "./options.ts";

const P99_MS = 100;
const SECONDS = quick ? 3 : 8;
const CONNECTIONS = [16, 12, 8, 6, 4, 2, 1];

type Capacity = { perSecond: number; p99: number; connections: number; most: number };
type Target = Pick<Options, "url" | "headers">;

const keepsPromise = ({ errors, timeouts, non2xx, latency }: Result) =>
  errors + timeouts + non2xx === 0 && latency.p99 <= P99_MS;

const shoot = (target: Target, connections: number) =>
  autocannon({ ...target, connections, duration: SECONDS });

/** The most it can do at all, once it is warm. */
export async function measureMost(target: Target): Promise<number> {
  await shoot(target, itemAt(CONNECTIONS, 0));
  return (await shoot(target, itemAt(CONNECTIONS, 0))).requests.average;
}

/** The most it can do, and what it does over the most connections that keep the promise; 0 where not even one does. */
export async function measureCapacity(target: Target): Promise<Capacity> {
  await shoot(target, itemAt(CONNECTIONS, 0));
  let most = 0;
  let p99 = Number.POSITIVE_INFINITY;
  for (const connections of CONNECTIONS) {
    const result = await shoot(target, connections);
    const perSecond = result.requests.average;
    most = Math.max(most, perSecond);
    p99 = result.latency.p99;
    if (keepsPromise(result)) return { perSecond, p99, connections, most };
  }
  return { perSecond: 0, p99, connections: 0, most };
}
