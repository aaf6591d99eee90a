/** Accumulators that keep the n values that come first in an order. */

import { nullish, type Result } from "../expression/env.ts";
import { valueBytes } from "../expression/size.ts";
import { compareTuples, type SortKey, type SortTuple } from "../search/sort.ts";
import { present } from "../values/present.ts";
import { compare, type Value } from "../values/values.ts";
import type { Accumulator } from "./accumulators.ts";

/** The n values that come first in a given order, kept sorted. */
class Best<T> {
  readonly #n: number;
  readonly #inOrder: (a: T, b: T) => number;
  readonly items: T[] = [];

  constructor(n: number, inOrder: (a: T, b: T) => number) {
    this.#n = n;
    this.#inOrder = inOrder;
  }

  /** What had to leave for the new item, or the new item itself. */
  add(item: T): T | undefined {
    const { items } = this;
    if (items.length === this.#n && this.#inOrder(present(items[items.length - 1]), item) <= 0) return item;
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#inOrder(present(items[middle]), item) <= 0) low = middle + 1;
      else high = middle;
    }
    items.splice(low, 0, item);
    return items.length > this.#n ? items.pop() : undefined;
  }
}

/** $minN (sense 1) and $maxN (sense -1). */
export class OrderedN implements Accumulator {
  readonly #best: Best<Value>;
  bytes = 32;

  constructor(n: number, sense: 1 | -1) {
    this.#best = new Best(n, (a, b) => compare(a, b) * sense);
  }

  add(value: Result): void {
    if (nullish(value)) return;
    this.bytes += valueBytes(value);
    const lost = this.#best.add(value);
    if (lost !== undefined) this.bytes -= valueBytes(lost);
  }

  result(): Value {
    return this.#best.items;
  }
}

interface Placed {
  tuple: SortTuple;
  output: Value;
}

/** $top, $topN, $bottom and $bottomN: outputs by the order of their documents. */
export class PlacedN {
  readonly #best: Best<Placed>;
  readonly #isBottom: boolean;
  bytes = 32;

  constructor(n: number, keys: SortKey[], isBottom: boolean) {
    const inOrder = compareTuples(keys);
    this.#isBottom = isBottom;
    this.#best = new Best(
      n,
      isBottom ? (a, b) => inOrder(b.tuple, a.tuple) : (a, b) => inOrder(a.tuple, b.tuple),
    );
  }

  place(tuple: SortTuple, output: Value): void {
    const size = ({ tuple: values, output: value }: Placed) => valueBytes([...values]) + valueBytes(value);
    const item = { tuple, output };
    this.bytes += size(item);
    const lost = this.#best.add(item);
    if (lost) this.bytes -= size(lost);
  }

  outputs(): Value[] {
    const found = this.#best.items.map(({ output }) => output);
    return this.#isBottom ? found.reverse() : found;
  }
}
