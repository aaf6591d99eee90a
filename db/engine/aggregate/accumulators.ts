/**
 * The state of one accumulator over one group. `add` takes what the accumulator's expression gave for a
 * document, undefined where it gave nothing; `bytes` is what the state holds on to, for the memory limit.
 */

import { nullish, type Result } from "../expression/env.ts";
import { intOrLong, show } from "../expression/numbers.ts";
import { valueBytes } from "../expression/size.ts";
import { fail } from "../values/errors.ts";
import {
  compare,
  type Doc,
  fitsInt64,
  Int32,
  isDoc,
  isNumber,
  toNumber,
  typeName,
  type Value,
} from "../values/values.ts";
import { valueKey } from "./key.ts";

export interface Accumulator {
  readonly bytes: number;
  add(value: Result): void;
  result(): Value;
}

/** How many to keep: a positive integer of any number type. */
export function positiveCount(value: Result): number {
  const message = `Value for 'n' must be of integral type, but found ${show(value)}`;
  if (!isNumber(value)) fail(5787902, message);
  const n = toNumber(value);
  if (!Number.isInteger(n)) fail(5787903, message);
  return n > 0 ? n : fail(5787908, `'n' must be greater than 0, found ${n}`);
}

/** A sum of doubles that keeps what rounding would lose, so that ten times 0.1 is 1. */
class CompensatedSum {
  #sum = 0;
  #lost = 0;
  #plain = 0;

  add(value: number): void {
    this.#plain += value;
    const next = this.#sum + value;
    const back = next - this.#sum;
    this.#lost += this.#sum - (next - back) + (value - back);
    this.#sum = next;
  }

  value(): number {
    const total = this.#sum + this.#lost;
    return Number.isNaN(total) ? this.#plain : total;
  }
}

/** Integers are summed exactly; the result has the widest type that came in. */
export class Sum implements Accumulator {
  readonly bytes = 64;
  #integers = 0;
  #longs = 0n;
  #doubles: CompensatedSum | undefined;
  #isLong = false;

  add(value: Result): void {
    if (value instanceof Int32) {
      this.#integers += value.value;
      if (!Number.isSafeInteger(this.#integers)) this.#spill();
    } else if (typeof value === "number") {
      this.#doubles ??= new CompensatedSum();
      this.#doubles.add(value);
    } else if (typeof value === "bigint") {
      this.#isLong = true;
      this.#longs += value;
    }
  }

  #spill(): void {
    this.#longs += BigInt(this.#integers);
    this.#integers = 0;
  }

  result(): Value {
    this.#spill();
    if (!this.#doubles) {
      if (!fitsInt64(this.#longs)) return Number(this.#longs);
      return this.#isLong ? this.#longs : intOrLong(this.#longs);
    }
    const high = Number(this.#longs);
    if (this.#longs !== 0n) {
      this.#doubles.add(high);
      this.#doubles.add(Number(this.#longs - BigInt(high)));
      this.#longs = 0n;
    }
    return this.#doubles.value();
  }
}

export class Average implements Accumulator {
  readonly bytes = 80;
  readonly #sum = new Sum();
  #count = 0;

  add(value: Result): void {
    if (!isNumber(value)) return;
    this.#sum.add(value);
    this.#count++;
  }

  result(): Value {
    return this.#count === 0 ? null : toNumber(this.#sum.result() as number) / this.#count;
  }
}

/** The smallest value (sense 1) or the largest (sense -1); null and missing do not count. */
export class Extreme implements Accumulator {
  readonly #sense: 1 | -1;
  #best: Value = null;
  bytes = 32;

  constructor(sense: 1 | -1) {
    this.#sense = sense;
  }

  add(value: Result): void {
    if (nullish(value)) return;
    if (this.#best !== null && compare(this.#best, value) * this.#sense <= 0) return;
    this.#best = value;
    this.bytes = 32 + valueBytes(value);
  }

  result(): Value {
    return this.#best;
  }
}

/** Welford's way: one pass, no loss for large means. */
export class StandardDeviation implements Accumulator {
  readonly bytes = 48;
  readonly #lostDegrees: 0 | 1;
  #count = 0;
  #mean = 0;
  #squares = 0;

  constructor(lostDegrees: 0 | 1) {
    this.#lostDegrees = lostDegrees;
  }

  add(value: Result): void {
    if (!isNumber(value)) return;
    const number = toNumber(value);
    this.#count++;
    const delta = number - this.#mean;
    if (delta === 0) return;
    this.#mean += delta / this.#count;
    this.#squares += delta * (number - this.#mean);
  }

  result(): Value {
    const degrees = this.#count - this.#lostDegrees;
    return degrees <= 0 ? null : Math.sqrt(this.#squares / degrees);
  }
}

export class MergedObjects implements Accumulator {
  readonly #merged: Doc = new Map();
  bytes = 32;

  add(value: Result): void {
    if (nullish(value)) return;
    if (!isDoc(value))
      fail(
        40400,
        `$mergeObjects requires object inputs, but input ${show(value)} is of type ${typeName(value)}`,
      );
    for (const [name, field] of value) this.#merged.set(name, field);
    this.bytes += valueBytes(value);
  }

  result(): Value {
    return this.#merged;
  }
}

/** The first value; with no value at all, or a missing one, null. */
export class First implements Accumulator {
  #value: Result;
  #isSet = false;
  bytes = 32;

  add(value: Result): void {
    if (this.#isSet) return;
    this.#isSet = true;
    this.#value = value;
    this.bytes += value === undefined ? 0 : valueBytes(value);
  }

  result(): Value {
    return this.#value ?? null;
  }
}

export class Last implements Accumulator {
  #value: Result;
  bytes = 32;

  add(value: Result): void {
    this.#value = value;
    this.bytes = 32 + (value === undefined ? 0 : valueBytes(value));
  }

  result(): Value {
    return this.#value ?? null;
  }
}

export class FirstN implements Accumulator {
  readonly #n: number;
  readonly #values: Value[] = [];
  bytes = 32;

  constructor(n: number) {
    this.#n = n;
  }

  add(value: Result): void {
    if (this.#values.length >= this.#n) return;
    this.#values.push(value ?? null);
    this.bytes += valueBytes(value ?? null);
  }

  result(): Value {
    return this.#values;
  }
}

export class LastN implements Accumulator {
  readonly #n: number;
  #values: Value[] = [];
  bytes = 32;

  constructor(n: number) {
    this.#n = n;
  }

  add(value: Result): void {
    this.#values.push(value ?? null);
    this.bytes += valueBytes(value ?? null);
    if (this.#values.length >= 2 * this.#n) this.#shorten();
  }

  #shorten(): void {
    this.#values = this.#values.slice(-this.#n);
    this.bytes = 32 + this.#values.reduce<number>((sum, value) => sum + valueBytes(value), 0);
  }

  result(): Value {
    return this.#values.slice(-this.#n);
  }
}

export class Pushed implements Accumulator {
  readonly #values: Value[] = [];
  bytes = 32;

  add(value: Result): void {
    if (value === undefined) return;
    this.#values.push(value);
    this.bytes += 8 + valueBytes(value);
  }

  result(): Value {
    return this.#values;
  }
}

export class DistinctValues implements Accumulator {
  readonly #values = new Map<string, Value>();
  bytes = 32;

  add(value: Result): void {
    if (value === undefined) return;
    const key = valueKey(value);
    if (this.#values.has(key)) return;
    this.#values.set(key, value);
    this.bytes += key.length + valueBytes(value);
  }

  result(): Value {
    return [...this.#values.values()];
  }
}
