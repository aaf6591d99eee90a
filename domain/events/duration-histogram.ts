/** Durations counted by size, so that many of them fit into one small record and two records can be added up. */
export const BOUNDS_MS = [
  1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_500, 5_000, 10_000, 30_000,
] as const;

/** Counts by the index of their bound; the last index is beyond all bounds. Indexes without a count are left out. */
export type DurationBuckets = Record<string, number>;

/** What is known of a set of requests: how many, how many failed, their time together and the longest. */
export type Durations = {
  count: number;
  errors: number;
  total_ms: number;
  max_ms: number;
  buckets: DurationBuckets;
};

export const noDurations = (): Durations => ({ count: 0, errors: 0, total_ms: 0, max_ms: 0, buckets: {} });

export function chooseBucket(ms: number): string {
  const place = BOUNDS_MS.findIndex((bound) => ms <= bound);
  return String(place < 0 ? BOUNDS_MS.length : place);
}

export function addDuration(to: Durations, ms: number, failed: boolean): void {
  to.count += 1;
  to.errors += failed ? 1 : 0;
  to.total_ms += ms;
  to.max_ms = Math.max(to.max_ms, ms);
  const place = chooseBucket(ms);
  to.buckets[place] = (to.buckets[place] ?? 0) + 1;
}

export function addDurations(to: Durations, more: Durations): void {
  to.count += more.count;
  to.errors += more.errors;
  to.total_ms += more.total_ms;
  to.max_ms = Math.max(to.max_ms, more.max_ms);
  for (const [place, count] of Object.entries(more.buckets))
    to.buckets[place] = (to.buckets[place] ?? 0) + count;
}

/** The duration that a share of the requests did not exceed, as near as the bounds tell; null where there were none. */
export function percentileMs({ count, max_ms, buckets }: Durations, share: number): number | null {
  if (count === 0) return null;
  const position = share * count;
  // Of few requests it is the longest, which is known.
  if (Math.ceil(position) === count) return rounded(max_ms);
  let below = 0;
  for (let place = 0; place <= BOUNDS_MS.length; place++) {
    const here = buckets[place] ?? 0;
    if (here > 0 && below + here >= position) {
      const from = BOUNDS_MS[place - 1] ?? 0;
      const to = Math.min(BOUNDS_MS[place] ?? max_ms, max_ms);
      return rounded(Math.min(max_ms, from + (Math.max(to, from) - from) * ((position - below) / here)));
    }
    below += here;
  }
  return rounded(max_ms);
}

export function averageMs({ count, total_ms }: Durations): number | null {
  return count === 0 ? null : rounded(total_ms / count);
}

const rounded = (ms: number) => Math.round(ms * 10) / 10;
