/**
 * Finding documents: a filter, an order, a window, through the plan that fits. Work happens in slices of
 * SLICE_MS; between two slices other requests get their turn and the time limit is looked at.
 */

import type { Filter } from "../filter/match.ts";
import type { Collection, Index, Row } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { decode } from "../values/bson.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import { isEqual, type Value } from "../values/values.ts";
import { choosePlan, type Plan, planWithHint } from "./plan.ts";
import { countRange, type Examined, openPlan, type RowSource } from "./scan.ts";
import { createTupleComparator, createTupleReader, type SortKey, type SortTuple } from "./sort.ts";

const SLICE_MS = 10;
const CHUNK_ROWS = 100;
const PROBE_LIMIT = 1000;
const MAX_HOLD_MS = 5_000;
const MAX_SORT_BYTES = 100 * 1024 * 1024;

/** When an operation has to end: at its own limit, or when it has kept all others waiting for MAX_HOLD_MS. */
export class Deadline {
  #at: number;
  #heldSince = performance.now();

  constructor(maxTimeMs: number) {
    this.#at = maxTimeMs > 0 ? performance.now() + maxTimeMs : Number.POSITIVE_INFINITY;
  }

  check(): void {
    const now = performance.now();
    if (now > this.#at) fail(50, "operation exceeded time limit");
    if (now > this.#heldSince + MAX_HOLD_MS)
      fail(50, `operation kept the embedded engine busy for ${MAX_HOLD_MS} ms without a pause`);
  }

  /** Excludes the time that the client took before it asked for more. */
  excludeClientTime(sinceMs: number): void {
    const now = performance.now();
    this.#at += now - sinceMs;
    this.#heldSince = now;
  }

  /** Begins a new turn after a pause and checks the deadline. */
  resume(): void {
    this.#heldSince = performance.now();
    this.check();
  }
}

export interface Search {
  collection: Collection;
  filter: Filter;
  sort: SortKey[];
  /** 0 = no limit. */
  limit: number;
  hint: Value | undefined;
  deadline: Deadline;
}

/** Lets other requests run. The writes before it are on disk when it returns. */
export async function yieldToOthers(store: Store, deadline: Deadline): Promise<void> {
  await store.waitForCommit();
  await new Promise<void>((resolve) => setImmediate(resolve));
  deadline.resume();
}

export function planSearch(store: Store, search: Omit<Search, "deadline">): Plan {
  const { collection, filter, sort, limit, hint } = search;
  const request = {
    filter,
    sort,
    limited: limit > 0,
    indexes: collection.allIndexes,
    probe: (index: Index, range: Parameters<typeof countRange>[3]) =>
      countRange(store, collection, index, range, PROBE_LIMIT),
  };
  if (hint === undefined) return choosePlan(request);
  return planWithHint(request, hintedIndex(collection, hint));
}

function hintedIndex(collection: Collection, hint: Value): Index {
  const index = collection.allIndexes.find(({ name, spec }) =>
    typeof hint === "string" ? name === hint : isEqual(present(spec.get("key")), hint),
  );
  return index ?? fail(2, "hint provided does not correspond to an existing index");
}

/** Rows of a plan that match a filter, a slice of time at a time. */
export class Matches {
  readonly examined: Examined = { keys: 0, documents: 0 };
  readonly #source: RowSource;
  readonly #search: Pick<Search, "filter" | "deadline">;
  readonly #byIndex: boolean;
  ended = false;

  constructor(store: Store, plan: Plan, search: Pick<Search, "collection" | "filter" | "deadline">) {
    this.#source = openPlan(store, search.collection, plan);
    this.#search = search;
    this.#byIndex = plan.kind !== "scan";
  }

  /** Returns up to about `wanted` more rows; fewer or none if the time slice ends first. */
  readSlice(wanted: number): Row[] {
    const { filter, deadline } = this.#search;
    const until = performance.now() + SLICE_MS;
    const matching: Row[] = [];
    deadline.check();
    while (matching.length < wanted) {
      const rows = this.#source.next(Math.min(Math.max(wanted - matching.length, 1), CHUNK_ROWS));
      this.ended = rows.length === 0;
      if (this.ended) break;
      this.examined.documents += rows.length;
      if (this.#byIndex) this.examined.keys += rows.length;
      for (const row of rows) if (filter.matches(decode(row.doc, 0, filter.fields))) matching.push(row);
      if (performance.now() > until) break;
    }
    return matching;
  }
}

/** Whether the rows of a plan come in the order that was asked for. */
export function isPlanSorted(plan: Plan, sort: SortKey[]): boolean {
  return sort.length === 0 || (plan.kind === "index" && plan.sorted);
}

/** The rows of a search, window applied, in chunks. */
export async function* readRows(store: Store, search: Search, examined?: Examined): AsyncGenerator<Row[]> {
  const plan = planSearch(store, search);
  const matches = new Matches(store, plan, search);
  const chunks = isPlanSorted(plan, search.sort)
    ? streamRows(store, matches, search)
    : sortRows(store, matches, search);
  for await (const rows of chunks) yield rows;
  if (examined) Object.assign(examined, matches.examined);
}

async function* streamRows(
  store: Store,
  matches: Matches,
  { limit, deadline }: Search,
): AsyncGenerator<Row[]> {
  let remaining = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  for (;;) {
    let rows = matches.readSlice(Math.min(remaining, CHUNK_ROWS));
    if (rows.length > remaining) rows = rows.slice(0, remaining);
    remaining -= rows.length;
    if (rows.length > 0) yield rows;
    if (matches.ended || remaining === 0) return;
    if (rows.length === 0) await yieldToOthers(store, deadline);
  }
}

interface Sortable extends Row {
  place: SortTuple;
}

/** Orders in memory; with a limit only the best are held. */
async function* sortRows(
  store: Store,
  matches: Matches,
  { sort, limit, deadline }: Search,
): AsyncGenerator<Row[]> {
  const placeOf = createTupleReader(sort);
  const inOrder = createTupleComparator(sort);
  const order = (a: Sortable, b: Sortable): number => inOrder(a.place, b.place) || a.r - b.r;
  const names = new Set(sort.map(({ path }) => present(path.split(".")[0])));
  const wanted = limit > 0 ? limit : Number.POSITIVE_INFINITY;
  let rows: Sortable[] = [];
  let bytes = 0;
  while (!matches.ended) {
    for (const row of matches.readSlice(Number.POSITIVE_INFINITY)) {
      rows.push({ ...row, place: placeOf(decode(row.doc, 0, names)) });
      bytes += row.doc.length;
    }
    if (rows.length > wanted * 2 + CHUNK_ROWS || bytes > MAX_SORT_BYTES) {
      rows.sort(order);
      rows = rows.slice(0, wanted);
      bytes = rows.reduce((sum, row) => sum + row.doc.length, 0);
    }
    if (bytes > MAX_SORT_BYTES)
      fail(292, "Sort exceeded memory limit of 104857600 bytes: add an index that gives the order");
    if (!matches.ended) await yieldToOthers(store, deadline);
  }
  rows.sort(order);
  const first = rows.slice(0, wanted);
  for (let start = 0; start < first.length; start += CHUNK_ROWS) yield first.slice(start, start + CHUNK_ROWS);
}

/** Counts the matching documents by index entries; undefined if documents have to be read. */
export function countEntries(store: Store, collection: Collection, plan: Plan): number | undefined {
  if (plan.kind !== "index" || !plan.exact) return undefined;
  return plan.ranges.reduce(
    (sum, range) => sum + countRange(store, collection, plan.index, range, Number.MAX_SAFE_INTEGER),
    0,
  );
}

/** Counts matching documents, by index entries if possible. With a hint, only documents in that index count. */
export async function countMatches(store: Store, search: Search): Promise<number> {
  const { collection, filter, limit, hint } = search;
  const window = (total: number): number => (limit > 0 ? Math.min(total, limit) : total);
  const everything = filter.complete && filter.conjuncts.length === 0 && !filter.orBranches;
  if (everything && hint === undefined) return window(collection.count);
  const entries = countEntries(store, collection, planSearch(store, search));
  if (entries !== undefined) return window(entries);
  let total = 0;
  for await (const rows of readRows(store, { ...search, sort: [] })) total += rows.length;
  return total;
}
