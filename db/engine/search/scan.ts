/**
 * Reads rows as a plan says, in small chunks: every chunk is a statement of its own that takes up after the last
 * (key, row) seen. Nothing stays open in between, so writers never wait and a cursor may rest for minutes.
 */

import { asBuffer, type Collection, type Index, type Row } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import type { IndexPlan, KeyRange, Plan } from "./plan.ts";

export interface RowSource {
  /** Up to `max` more rows; none means the end. */
  next(max: number): Row[];
}

export interface Examined {
  keys: number;
  documents: number;
}

/** Above every key: class bytes, inverted or not, stay below it. */
const TOP = Buffer.from([0xff]);

interface Entry extends Row {
  k: Buffer;
}

/** Returns the SQL that reads an index: from its own table, or from the id column of the collection. */
function sourceSql(collection: Collection, index: Index): string {
  return index.id === 0
    ? `SELECT id AS k, r, doc FROM c${collection.id} WHERE id`
    : `SELECT k, x.r AS r, doc FROM x${index.id} AS x CROSS JOIN c${collection.id} AS c ON c.r = x.r WHERE k`;
}

/** One range of one index, read forward or backward. */
class RangeReader {
  readonly #store: Store;
  readonly #collection: Collection;
  readonly #index: Index;
  readonly #range: KeyRange;
  readonly #reverse: boolean;
  #last: Entry | undefined;

  constructor(store: Store, collection: Collection, index: Index, range: KeyRange, reverse: boolean) {
    this.#store = store;
    this.#collection = collection;
    this.#index = index;
    this.#range = range;
    this.#reverse = reverse;
  }

  next(max: number): Entry[] {
    checkAlive(this.#collection, this.#index);
    const rows = this.#rows(max).map((row) => ({
      k: asBuffer(row.k),
      r: row.r as number,
      doc: asBuffer(row.doc),
    }));
    this.#last = rows.at(-1) ?? this.#last;
    return rows;
  }

  #rows(max: number) {
    const { lower, upper = TOP } = this.#range;
    const byId = this.#index.id === 0;
    const column = byId ? "id" : "k";
    const order = this.#reverse
      ? `${column} DESC${byId ? "" : ", x.r DESC"}`
      : `${column}${byId ? "" : ", x.r"}`;
    const tail = `ORDER BY ${order} LIMIT ?`;
    const select = sourceSql(this.#collection, this.#index);
    const last = this.#last;
    if (!last)
      return this.#store.statement(`${select} >= ? AND ${column} < ? ${tail}`).all(lower, upper, max);
    if (byId) {
      const bounds = this.#reverse ? [lower, last.k] : [last.k, upper];
      return this.#store
        .statement(`${select} ${this.#reverse ? ">=" : ">"} ? AND id < ? ${tail}`)
        .all(...bounds, max);
    }
    return this.#reverse
      ? this.#store.statement(`${select} >= ? AND (k, x.r) < (?, ?) ${tail}`).all(lower, last.k, last.r, max)
      : this.#store.statement(`${select} < ? AND (k, x.r) > (?, ?) ${tail}`).all(upper, last.k, last.r, max);
  }
}

function checkAlive(collection: Collection, index?: Index): void {
  const gone =
    collection.dropped || (index && index.id !== 0 && !collection.indexes.some(({ id }) => id === index.id));
  if (gone) fail(175, "query plan killed: the collection or its index was dropped");
}

class IndexReader implements RowSource {
  readonly #readers: RangeReader[];
  #at = 0;

  constructor(store: Store, collection: Collection, plan: IndexPlan) {
    const ranges = plan.reverse ? [...plan.ranges].reverse() : plan.ranges;
    this.#readers = ranges.map(
      (range) => new RangeReader(store, collection, plan.index, range, plan.reverse),
    );
  }

  next(max: number): Row[] {
    while (this.#at < this.#readers.length) {
      const rows = present(this.#readers[this.#at]).next(max);
      if (rows.length > 0) return rows;
      this.#at++;
    }
    return [];
  }
}

interface Lane {
  reader: RangeReader;
  cut: number;
  waiting: Entry[];
  ended: boolean;
}

const LANE_ROWS = 32;

/** Ranges side by side, merged by what follows their fixed leading fields. */
class MergeReader implements RowSource {
  readonly #lanes: Lane[];
  readonly #reverse: boolean;

  constructor(store: Store, collection: Collection, plan: IndexPlan) {
    this.#reverse = plan.reverse;
    this.#lanes = plan.ranges.map((range) => ({
      reader: new RangeReader(store, collection, plan.index, range, plan.reverse),
      cut: present(range.cuts[plan.mergeAfter - 1]),
      waiting: [],
      ended: false,
    }));
  }

  next(max: number): Row[] {
    const rows: Row[] = [];
    while (rows.length < max) {
      const lane = this.#first(Math.min(max, LANE_ROWS));
      if (!lane) break;
      rows.push(present(lane.waiting.shift()));
    }
    return rows;
  }

  #first(refill: number): Lane | undefined {
    let first: Lane | undefined;
    for (const lane of this.#lanes) {
      if (lane.waiting.length === 0 && !lane.ended) {
        lane.waiting = lane.reader.next(refill);
        lane.ended = lane.waiting.length === 0;
      }
      if (lane.waiting.length > 0 && (!first || this.#precedes(lane, first))) first = lane;
    }
    return first;
  }

  #precedes(a: Lane, b: Lane): boolean {
    const x = present(a.waiting[0]);
    const y = present(b.waiting[0]);
    const order = Buffer.compare(x.k.subarray(a.cut), y.k.subarray(b.cut)) || x.r - y.r;
    return this.#reverse ? order > 0 : order < 0;
  }
}

class TableReader implements RowSource {
  readonly #store: Store;
  readonly #collection: Collection;
  #last = 0;

  constructor(store: Store, collection: Collection) {
    this.#store = store;
    this.#collection = collection;
  }

  next(max: number): Row[] {
    checkAlive(this.#collection);
    const sql = `SELECT r, doc FROM c${this.#collection.id} WHERE r > ? ORDER BY r LIMIT ?`;
    const rows = this.#store
      .statement(sql)
      .all(this.#last, max)
      .map((row) => ({ r: row.r as number, doc: asBuffer(row.doc) }));
    this.#last = rows.at(-1)?.r ?? this.#last;
    return rows;
  }
}

/** One source after the other, each row once. */
class DistinctReader implements RowSource {
  readonly #sources: RowSource[];
  readonly #seen = new Set<number>();

  constructor(sources: RowSource[]) {
    this.#sources = sources;
  }

  next(max: number): Row[] {
    while (this.#sources.length > 0) {
      const rows = present(this.#sources[0]).next(max);
      if (rows.length === 0) {
        this.#sources.shift();
        continue;
      }
      const fresh = rows.filter(({ r }) => this.#isNew(r));
      if (fresh.length > 0) return fresh;
    }
    return [];
  }

  #isNew(r: number): boolean {
    const before = this.#seen.size;
    return this.#seen.add(r).size > before;
  }
}

function openIndex(store: Store, collection: Collection, plan: IndexPlan): RowSource {
  return plan.mergeAfter > 0
    ? new MergeReader(store, collection, plan)
    : new IndexReader(store, collection, plan);
}

export function openPlan(store: Store, collection: Collection, plan: Plan): RowSource {
  if (plan.kind === "scan") return new TableReader(store, collection);
  if (plan.kind === "union")
    return new DistinctReader(plan.plans.map((part) => openIndex(store, collection, part)));
  const source = openIndex(store, collection, plan);
  return plan.index.multikey === 0 ? source : new DistinctReader([source]);
}

function toCountSql(collection: Collection, index: Index): string {
  return index.id === 0
    ? `SELECT 1 FROM c${collection.id} WHERE id >= ? AND id < ?`
    : `SELECT 1 FROM x${index.id} WHERE k >= ? AND k < ?`;
}

/** The number of entries in a range, counted up to `max`. */
export function countRange(
  store: Store,
  collection: Collection,
  index: Index,
  range: KeyRange,
  max: number,
): number {
  const sql = `SELECT count(*) AS n FROM (${toCountSql(collection, index)} LIMIT ?)`;
  return present(store.statement(sql).get(range.lower, range.upper ?? TOP, max)).n as number;
}
