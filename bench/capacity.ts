/** How many requests a second an address takes while 99 of 100 are answered within 100 ms and none fails. */
import autocannon, { type Options, type Result } from "autocannon";
import { quick } from "./options.ts";

export const P99_MS = 100;
const CONNECTIONS = 16;
const SECONDS = quick ? 3 : 8;
const SHARES = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];

export type Capacity = { perSecond: number; p99: number; most: number };
type Target = Pick<Options, "url" | "headers">;

const fails = ({ errors, timeouts, non2xx }: Result) => errors + timeouts + non2xx > 0;

/** The most it can do at all, and the largest share of that which keeps the promise; 0 where none does. */
export async function capacityOf(target: Target): Promise<Capacity> {
  const shoot = (overallRate?: number) =>
    autocannon({
      ...target,
      connections: CONNECTIONS,
      duration: SECONDS,
      ...(overallRate ? { overallRate } : {}),
    });
  await shoot();
  const most = (await shoot()).requests.average;
  for (const share of SHARES) {
    const rate = Math.max(1, Math.floor(most * share));
    const result = await shoot(rate);
    if (!fails(result) && result.latency.p99 <= P99_MS)
      return { perSecond: result.requests.average, p99: result.latency.p99, most };
  }
  return { perSecond: 0, p99: Number.POSITIVE_INFINITY, most };
}
