/**
 * Chooses how to find documents: through which index, over which ranges of its keys. There are no statistics;
 * an index is the better the more of its leading fields the filter pins down and the more of the order it gives.
 * A plan finds a superset of what matches, each row once per entry; the filter is asked for every row.
 */

import type { Conjunct, Filter } from "../filter/match.ts";
import type { Index } from "../storage/collection.ts";
import { findSuccessor } from "../values/keys.ts";
import { present } from "../values/present.ts";
import { compareValues, typeOrder, type Value } from "../values/values.ts";
import { type Bounds, intersectBounds, orientInterval, toBounds } from "./bounds.ts";
import type { SortKey } from "./sort.ts";

export interface KeyRange {
  lower: Buffer;
  upper: Buffer | undefined;
  /** cuts[i] is where the bytes of field i end, for the leading fields that hold one value. */
  cuts: number[];
}

export interface IndexPlan {
  kind: "index";
  index: Index;
  /** Disjoint, in key order. */
  ranges: KeyRange[];
  reverse: boolean;
  /** Rows come in the order asked for. */
  sorted: boolean;
  /** The ranges are read side by side and merged by what follows this many leading fields. */
  mergeAfter: number;
  /** The ranges hold only rows that match: counting entries counts documents. */
  exact: boolean;
  score: number;
}
interface ScanPlan {
  kind: "scan";
}
interface UnionPlan {
  kind: "union";
  plans: IndexPlan[];
}
export type Plan = IndexPlan | ScanPlan | UnionPlan;

interface PlanRequest {
  filter: Filter;
  sort: SortKey[];
  limited: boolean;
  indexes: readonly Index[];
  /** How many entries a range holds, counted up to a small bound. */
  probe(index: Index, range: KeyRange): number;
}

const MAX_RANGES = 1000;
const MAX_MERGED = 200;

function isMultikey(index: Index, field: number): boolean {
  return ((index.multikey >> field) & 1) === 1;
}

/** `$all` asks for each of its values: each is an equality that every match meets. */
function toEqualities(conjunct: Conjunct): Conjunct[] {
  if (conjunct.op !== "all") return [conjunct];
  return conjunct.operand
    .filter((value) => !(value instanceof Map && value.has("$elemMatch")))
    .map((operand) => ({ path: conjunct.path, op: "eq", operand }));
}

interface FieldBounds {
  bounds: Bounds;
  conjuncts: Conjunct[];
}

function listFieldBounds(path: string, conjuncts: Conjunct[]): FieldBounds[] {
  const fieldBounds: FieldBounds[] = [];
  for (const conjunct of conjuncts) {
    if (conjunct.path !== path) continue;
    for (const equality of toEqualities(conjunct)) {
      const bounds = toBounds(equality);
      if (bounds) fieldBounds.push({ bounds, conjuncts: [conjunct] });
    }
  }
  return fieldBounds;
}

function estimateRangeCount(bounds: Bounds): number {
  return bounds.intervals.every((interval) => interval.point) ? bounds.intervals.length : MAX_RANGES;
}

/** Chooses one of the bounds instead of intersecting them, because different elements of an array may meet different conditions. */
function chooseNarrowest(
  fieldBounds: FieldBounds[],
  prefix: KeyRange[],
  index: Index,
  field: number,
  request: PlanRequest,
): FieldBounds {
  const smallest = Math.min(...fieldBounds.map(({ bounds }) => estimateRangeCount(bounds)));
  const best = fieldBounds.filter(({ bounds }) => estimateRangeCount(bounds) === smallest);
  if (best.length === 1 || smallest === MAX_RANGES) return present(best[0]);
  const entries = best.map(({ bounds }) =>
    extendRanges(prefix, bounds, index, field).reduce((sum, range) => sum + request.probe(index, range), 0),
  );
  return present(best[entries.indexOf(Math.min(...entries))]);
}

function intersectAll(fieldBounds: FieldBounds[]): FieldBounds {
  return fieldBounds.reduce((a, b) => ({
    bounds: intersectBounds(a.bounds, b.bounds),
    conjuncts: [...a.conjuncts, ...b.conjuncts],
  }));
}

/** Continues every prefix by every interval, in key order. */
function extendRanges(prefix: KeyRange[], bounds: Bounds, index: Index, field: number): KeyRange[] {
  const { direction } = present(index.fields[field]);
  const intervals = bounds.intervals.map((interval) => orientInterval(interval, direction));
  if (direction === -1) intervals.reverse();
  return prefix.flatMap((range) =>
    intervals.map((interval) => {
      const lower = Buffer.concat([range.lower, interval.lower]);
      const upper = interval.upper
        ? Buffer.concat([range.lower, interval.upper])
        : findSuccessor(range.lower);
      return { lower, upper, cuts: interval.point ? [...range.cuts, lower.length] : range.cuts };
    }),
  );
}

interface Bounded {
  ranges: KeyRange[];
  /** For each leading field that is pinned to values: to how many. */
  points: number[];
  hasRange: boolean;
  used: Set<Conjunct>;
  exact: boolean;
}

function bindFields(index: Index, conjuncts: Conjunct[], request: PlanRequest): Bounded {
  const out: Bounded = {
    ranges: [{ lower: Buffer.alloc(0), upper: undefined, cuts: [] }],
    points: [],
    hasRange: false,
    used: new Set(),
    exact: true,
  };
  let multikeyUsed = false;
  let manyEntries = index.multikey;
  for (let field = 0; field < index.fields.length; field++) {
    const fieldBounds = listFieldBounds(present(index.fields[field]).path, conjuncts);
    if (fieldBounds.length === 0) break;
    const multikey = isMultikey(index, field);
    if (multikey && multikeyUsed) break;
    multikeyUsed ||= multikey;
    const { bounds, conjuncts: used } = multikey
      ? chooseNarrowest(fieldBounds, out.ranges, index, field, request)
      : intersectAll(fieldBounds);
    if (out.ranges.length * bounds.intervals.length > MAX_RANGES) break;
    out.ranges = extendRanges(out.ranges, bounds, index, field);
    for (const conjunct of used) out.used.add(conjunct);
    out.exact &&= bounds.exact && used.every(({ op }) => op !== "all");
    // Pinned to one string, a document of many entries has one in the range.
    if (multikey && bounds.intervals.length === 1 && used.every(isStringEquality))
      manyEntries &= ~(1 << field);
    if (!bounds.intervals.every((interval) => interval.point)) {
      out.hasRange = true;
      break;
    }
    out.points.push(bounds.intervals.length);
  }
  out.exact &&= manyEntries === 0;
  return out;
}

function isStringEquality({ op, operand }: Conjunct): boolean {
  return op === "eq" && typeof operand === "string";
}

interface Order {
  reverse: boolean;
  mergeAfter: number;
}

/** Returns the direction in which the index gives the order, and after how many fields ranges must be merged; undefined if it does not. */
function findIndexOrder(index: Index, sort: SortKey[], bounded: Bounded): Order | undefined {
  let direction = 0;
  let mergeAfter = 0;
  let field = 0;
  for (const key of sort) {
    for (;;) {
      if (field >= index.fields.length) return undefined;
      if (present(index.fields[field]).path === key.path) break;
      if (!(field < bounded.points.length)) return undefined;
      if (present(bounded.points[field]) > 1) {
        if (direction !== 0) return undefined;
        mergeAfter = field + 1;
      }
      field++;
    }
    if (isMultikey(index, field)) return undefined;
    const fixed = bounded.points[field] === 1;
    const wanted = present(index.fields[field]).direction * key.direction;
    if (!fixed && direction !== 0 && wanted !== direction) return undefined;
    if (!fixed) direction = wanted;
    field++;
  }
  if (mergeAfter > 0 && bounded.ranges.length > MAX_MERGED) return undefined;
  return { reverse: direction === -1, mergeAfter };
}

function planIndex(index: Index, conjuncts: Conjunct[], request: PlanRequest): IndexPlan | undefined {
  if (index.partial && !impliesFilter(conjuncts, index.partial)) return undefined;
  const bounded = bindFields(index, conjuncts, request);
  const order = request.sort.length > 0 ? findIndexOrder(index, request.sort, bounded) : undefined;
  if (bounded.used.size === 0 && !order) return undefined;
  const { complete } = request.filter;
  return {
    kind: "index",
    index,
    ranges: bounded.ranges,
    reverse: order?.reverse ?? false,
    sorted: request.sort.length === 0 || order !== undefined,
    mergeAfter: order?.mergeAfter ?? 0,
    exact: bounded.exact && complete && conjuncts.every((conjunct) => bounded.used.has(conjunct)),
    score: scorePlan(index, bounded, order !== undefined, request.limited),
  };
}

function scorePlan(index: Index, bounded: Bounded, ordered: boolean, limited: boolean): number {
  const pinsOneRow =
    index.unique && bounded.points.length === index.fields.length && bounded.ranges.length === 1;
  if (pinsOneRow) return 1000;
  return (
    bounded.points.length * 10 +
    (bounded.hasRange ? 6 : 0) +
    (ordered ? (limited ? 16 : 7) : 0) +
    (index.partial ? 1 : 0)
  );
}

function isPresentScalar(value: Value): boolean {
  return value !== null && !Array.isArray(value);
}

/** True if a condition on the path can only be met if the path exists. */
function provesPresence(conjuncts: Conjunct[], path: string): boolean {
  return conjuncts.some(({ path: own, op, operand }) => {
    if (own !== path) return false;
    if (op === "exists") return operand === true;
    if (op === "eq" || op === "gt" || op === "gte" || op === "lt" || op === "lte")
      return isPresentScalar(operand);
    if (op === "in") return operand.every(isPresentScalar);
    return false;
  });
}

/** Conservative: true only where every document that meets the conjuncts is in the partial index. */
function impliesFilter(conjuncts: Conjunct[], partial: Filter): boolean {
  return partial.conjuncts.every((wanted) =>
    wanted.op === "exists"
      ? provesPresence(conjuncts, wanted.path)
      : conjuncts.some((conjunct) => conjunct.path === wanted.path && impliesConjunct(conjunct, wanted)),
  );
}

function impliesConjunct(conjunct: Conjunct, wanted: Conjunct): boolean {
  if (conjunct.op === wanted.op && compareValues(conjunct.operand, wanted.operand) === 0) return true;
  if (conjunct.op === "in")
    return conjunct.operand.every((operand) => impliesConjunct({ ...conjunct, op: "eq", operand }, wanted));
  if (conjunct.op !== "eq" || !isPresentScalar(conjunct.operand)) return false;
  if (wanted.op === "in") return wanted.operand.some((value) => compareValues(value, conjunct.operand) === 0);
  if (typeOrder(conjunct.operand) !== typeOrder(wanted.operand)) return false;
  const order = compareValues(conjunct.operand, wanted.operand);
  const holds: Partial<Record<Conjunct["op"], boolean>> = {
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return holds[wanted.op] ?? false;
}

function best(conjuncts: Conjunct[], request: PlanRequest): IndexPlan | undefined {
  let winner: IndexPlan | undefined;
  for (const index of request.indexes) {
    const plan = planIndex(index, conjuncts, request);
    if (plan && (!winner || plan.score > winner.score)) winner = plan;
  }
  return winner;
}

function planUnion(request: PlanRequest): UnionPlan | undefined {
  const branches = request.filter.orBranches;
  if (!branches) return undefined;
  const plans = branches.map((branch) =>
    best([...request.filter.conjuncts, ...branch.conjuncts], { ...request, sort: [], limited: false }),
  );
  return plans.every((plan) => plan !== undefined) ? { kind: "union", plans } : undefined;
}

export function choosePlan(request: PlanRequest): Plan {
  const single = best(request.filter.conjuncts, request);
  const bound = single && (single.score >= 10 || single.ranges.some((range) => range.lower.length > 0));
  if (single && (bound || request.sort.length > 0)) {
    if (bound || request.limited || !request.filter.orBranches) return single;
  }
  return planUnion(request) ?? single ?? { kind: "scan" };
}

/** The plan that a hint names: the whole index where the filter binds nothing of it. */
export function planWithHint(request: PlanRequest, index: Index): IndexPlan {
  const plan = planIndex(index, request.filter.conjuncts, request);
  if (plan) return plan;
  const everything = [{ lower: Buffer.alloc(0), upper: undefined, cuts: [] }];
  return {
    kind: "index",
    index,
    ranges: everything,
    reverse: false,
    sorted: request.sort.length === 0,
    mergeAfter: 0,
    exact: false,
    score: 0,
  };
}
