/**
 * What a predicate on one indexed field means for that field's keys: a few intervals that together hold every
 * key of every document that can match (a superset: the filter is asked again for each document).
 */

import type { Conjunct } from "../filter/match.ts";
import { classByte, type Direction, encodeKey, findSuccessor, invertCopy } from "../values/keys.ts";
import { present } from "../values/present.ts";
import { isNumber, toNumber, UNDEFINED, type Value } from "../values/values.ts";

/** Bytes from `lower` on and below `upper`, in ascending order of one field. `point` holds one value only. */
interface Interval {
  lower: Buffer;
  upper: Buffer | undefined;
  point: boolean;
}

export interface Bounds {
  intervals: Interval[];
  /** Every key inside belongs to a document that matches the predicate: nothing is left to ask. */
  exact: boolean;
}

function toPoint(value: Value): Interval {
  const lower = encodeKey([value]);
  return { lower, upper: findSuccessor(lower), point: true };
}

/** Missing and null are filed as null, an empty array and BSON's undefined as undefined. */
const NULLISH: Interval[] = [toPoint(UNDEFINED), toPoint(null)];

function toEqualityBounds(value: Value): Bounds | undefined {
  if (value === null) return { intervals: NULLISH, exact: true };
  if (Array.isArray(value)) return undefined;
  return { intervals: [toPoint(value)], exact: true };
}

function toListBounds(values: Value[]): Bounds | undefined {
  const intervals: Interval[] = [];
  let exact = true;
  for (const value of values) {
    const point = toEqualityBounds(value);
    if (!point) return undefined;
    intervals.push(...point.intervals);
    exact &&= point.exact;
  }
  return { intervals: mergeIntervals(intervals), exact };
}

/** Sorts the intervals by key and joins those that overlap. */
function mergeIntervals(intervals: Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => Buffer.compare(a.lower, b.lower));
  const out: Interval[] = [];
  for (const next of sorted) {
    const last = out.at(-1);
    if (!last || (last.upper && Buffer.compare(next.lower, last.upper) >= 0)) out.push(next);
    else if (last.upper && (!next.upper || Buffer.compare(next.upper, last.upper) > 0))
      out[out.length - 1] = { lower: last.lower, upper: next.upper, point: false };
  }
  return out;
}

type Comparison = "gt" | "gte" | "lt" | "lte";

/** A comparison reaches only values of its operand's class. */
function toRangeBounds(op: Comparison, value: Value): Bounds | undefined {
  if (value === null) return { intervals: NULLISH, exact: false };
  if (Array.isArray(value) || value instanceof Map || (isNumber(value) && Number.isNaN(toNumber(value))))
    return undefined;
  const typePrefix = Buffer.from([classByte(value)]);
  const key = encodeKey([value]);
  const interval: Record<Comparison, Interval> = {
    gt: { lower: present(findSuccessor(key)), upper: findSuccessor(typePrefix), point: false },
    gte: { lower: key, upper: findSuccessor(typePrefix), point: false },
    lt: { lower: typePrefix, upper: key, point: false },
    lte: { lower: typePrefix, upper: findSuccessor(key), point: false },
  };
  const mayHoldNaN = isNumber(value) && (op === "lt" || op === "lte");
  return { intervals: [interval[op]], exact: !mayHoldNaN };
}

export function toBounds({ op, operand }: Conjunct): Bounds | undefined {
  switch (op) {
    case "eq":
      return toEqualityBounds(operand);
    case "in":
      return toListBounds(operand);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return toRangeBounds(op, operand);
    case "exists":
      return operand === false ? { intervals: NULLISH, exact: false } : undefined;
    default:
      return undefined;
  }
}

export function intersectBounds(a: Bounds, b: Bounds): Bounds {
  const intervals: Interval[] = [];
  for (const x of a.intervals)
    for (const y of b.intervals) {
      const lower = Buffer.compare(x.lower, y.lower) >= 0 ? x.lower : y.lower;
      const upper = pickSmaller(x.upper, y.upper);
      if (upper && Buffer.compare(lower, upper) >= 0) continue;
      intervals.push({ lower, upper, point: x.point || y.point });
    }
  return { intervals: mergeIntervals(intervals), exact: a.exact && b.exact };
}

function pickSmaller(a: Buffer | undefined, b: Buffer | undefined): Buffer | undefined {
  if (!a) return b;
  if (!b) return a;
  return Buffer.compare(a, b) <= 0 ? a : b;
}

/** Converts an interval of values to the interval of keys in a field of this direction. */
export function orientInterval(interval: Interval, direction: Direction): Interval {
  if (direction === 1) return interval;
  if (interval.point) {
    const lower = invertCopy(interval.lower);
    return { lower, upper: findSuccessor(lower), point: true };
  }
  return {
    lower: interval.upper ? flipBound(interval.upper) : Buffer.alloc(0),
    upper: flipBound(interval.lower),
    point: false,
  };
}

/**
 * Keys below the bound `b` are, inverted, the keys from just above `~b` on: every inverted key that begins
 * with `~b` belonged to the other side. No bound is all zeros, so there is always such a key.
 */
function flipBound(bound: Buffer): Buffer {
  return present(findSuccessor(invertCopy(bound)));
}
