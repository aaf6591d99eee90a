/**
 * The state of one accumulator over one group. `add` takes what the accumulator's expression gave for a
 * document, undefined where it gave nothing; `bytes` is what the state holds on to, for the memory limit.
 */

import type { Result } from "../expression/env.ts";
import { intOrLong } from "../expression/numbers.ts";
import { measureValue } from "../expression/size.ts";
import { fitsInt64, Int32, type Value } from "../values/values.ts";

export interface Accumulator {
  readonly bytes: number;
  add(value: Result): void;
  getResult(): Value;
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

  getTotal(): number {
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

  getResult(): Value {
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
    return this.#doubles.getTotal();
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
    this.bytes += value === undefined ? 0 : measureValue(value);
  }

  getResult(): Value {
    return this.#value ?? null;
  }
}

export class Pushed implements Accumulator {
  readonly #values: Value[] = [];
  bytes = 32;

  add(value: Result): void {
    if (value === undefined) return;
    this.#values.push(value);
    this.bytes += 8 + measureValue(value);
  }

  getResult(): Value {
    return this.#values;
  }
}
