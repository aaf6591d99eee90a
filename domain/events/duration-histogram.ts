/** Durations counted by size: many fit into a small record, and records can be added up. */
export const BOUNDS_MS = [
  1, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_500, 5_000, 10_000, 30_000,
] as const;

/** Counts by the index of their bound; the last index is beyond all bounds. Zero counts are left out. */
export type DurationBuckets = Record<string, number>;

export type Durations = {
  count: number;
  errors: number;
  total_ms: number;
  max_ms: number;
  buckets: DurationBuckets;
};

export const noDurations = (): Durations => ({ count: 0, errors: 0, total_ms: 0, max_ms: 0, buckets: {} });

export function chooseBucket(ms: number): string {
  const index = BOUNDS_MS.findIndex((bound) => ms <= bound);
  return String(index < 0 ? BOUNDS_MS.length : index);
}

export function addDuration(to: Durations, ms: number, failed: boolean): void {
  to.count += 1;
  to.errors += failed ? 1 : 0;
  to.total_ms += ms;
  to.max_ms = Math.max(to.max_ms, ms);
  const bucket = chooseBucket(ms);
  to.buckets[bucket] = (to.buckets[bucket] ?? 0) + 1;
}

export function addDurations(to: Durations, more: Durations): void {
  to.count += more.count;
  to.errors += more.errors;
  to.total_ms += more.total_ms;
  to.max_ms = Math.max(to.max_ms, more.max_ms);
  for (const [bucket, count] of Object.entries(more.buckets))
    to.buckets[bucket] = (to.buckets[bucket] ?? 0) + count;
}

/** Estimates the duration that a share of the requests did not exceed, interpolated between bounds. Returns null without requests. */
export function percentileMs({ count, max_ms, buckets }: Durations, share: number): number | null {
  if (count === 0) return null;
  const position = share * count;
  // With few requests the result is the longest, which is known exactly.
  if (Math.ceil(position) === count) return round(max_ms);
  let below = 0;
  for (let bucket = 0; bucket <= BOUNDS_MS.length; bucket++) {
    const bucketCount = buckets[bucket] ?? 0;
    if (bucketCount > 0 && below + bucketCount >= position) {
      const from = BOUNDS_MS[bucket - 1] ?? 0;
      const to = Math.min(BOUNDS_MS[bucket] ?? max_ms, max_ms);
      return round(Math.min(max_ms, from + (Math.max(to, from) - from) * ((position - below) / bucketCount)));
    }
    below += bucketCount;
  }
  return round(max_ms);
}

export function averageMs({ count, total_ms }: Durations): number | null {
  return count === 0 ? null : round(total_ms / count);
}

const round = (ms: number) => Math.round(ms * 10) / 10;
