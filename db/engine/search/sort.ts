/**
 * The order of documents. Where a path meets an array, the document takes the place of its smallest element
 * in an ascending order and of its largest in a descending one; an empty array stands below null, a missing
 * field is null. With several keys over the same array the whole tuple of one element counts.
 */

import { splitPath } from "../expression/path.ts";
import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  compare,
  type Doc,
  isDoc,
  isNumber,
  toNumber,
  typeName,
  UNDEFINED,
  type Value,
} from "../values/values.ts";

export interface SortKey {
  path: string;
  direction: 1 | -1;
}

const MAX_KEYS = 32;

export function parseSort(spec: Doc): SortKey[] {
  if (spec.size > MAX_KEYS) fail(13103, "too many compound keys");
  return [...spec].map(([path, value]) => ({ path: checked(path), direction: parseDirection(path, value) }));
}

function checked(path: string): string {
  splitPath(path);
  return path;
}

function parseDirection(path: string, value: Value): 1 | -1 {
  if (isDoc(value)) fail(17312, "$meta is the only expression supported by $sort right now");
  if (!isNumber(value)) fail(15974, `Illegal key in $sort specification: ${path}: ${typeName(value)}`);
  const direction = Math.trunc(toNumber(value));
  if (direction !== 1 && direction !== -1)
    fail(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
  return direction;
}

/** One value per key, in the order of the keys. */
export type SortTuple = readonly Value[];

/** How far one key has come: at `node`, with the parts from `at` on still to go, or at its final value. */
interface Progress {
  node: Value | undefined;
  parts: readonly string[];
  at: number;
  isFinal: boolean;
}

const INDEX = /^(?:0|[1-9][0-9]*)$/;

/**
 * Goes down to the end of the path or to the first array. An index into an array is gone through; the
 * element that a final index names is a value, also where it is an array.
 */
function descend(progress: Progress): Progress {
  const { parts } = progress;
  if (progress.isFinal) return progress;
  let { node, at } = progress;
  let isElement = false;
  for (; at < parts.length; at++) {
    isElement = false;
    if (node instanceof Map) node = node.get(present(parts[at]));
    else if (!Array.isArray(node)) return { node: undefined, parts, at, isFinal: true };
    else if (INDEX.test(present(parts[at])) && Number(parts[at]) < node.length) {
      node = node[Number(parts[at])];
      isElement = true;
    } else break;
  }
  return { node, parts, at, isFinal: isElement || !Array.isArray(node) };
}

/** From an array to one of its elements; arrays right inside arrays are values, not further steps. */
function enter(progress: Progress, item: Value): Progress {
  if (progress.isFinal) return progress;
  if (progress.at === progress.parts.length) return { ...progress, node: item, isFinal: true };
  return { ...progress, node: item instanceof Map ? item : undefined };
}

/** Every tuple that the arrays along the paths give. */
function expand(all: Progress[]): SortTuple[] {
  const stopped = all.map(descend);
  const arrays = new Set(stopped.filter(({ isFinal }) => !isFinal).map(({ node }) => node as Value[]));
  if (arrays.size === 0) return [stopped.map(({ node }) => node ?? null)];
  if (arrays.size > 1) fail(2, "cannot sort with keys that are parallel arrays");
  const [array = []] = arrays;
  const items = array.length === 0 ? [UNDEFINED] : array;
  return items.flatMap((item) => expand(stopped.map((progress) => enter(progress, item))));
}

/** The value along the path, or the array that stands in its way. */
function direct(document: Doc, parts: readonly string[]): Value | undefined {
  let node: Value | undefined = document;
  for (const part of parts) {
    if (!(node instanceof Map)) return Array.isArray(node) ? node : undefined;
    node = node.get(part);
  }
  return node;
}

export function compareTuples(keys: readonly SortKey[]): (a: SortTuple, b: SortTuple) => number {
  const directions = keys.map(({ direction }) => direction);
  return (a, b) => {
    for (let i = 0; i < directions.length; i++) {
      const order = compare(present(a[i]), present(b[i]));
      if (order !== 0) return order * present(directions[i]);
    }
    return 0;
  };
}

/** A document's place in the order, to be computed once and compared often. */
export function sortTuple(keys: readonly SortKey[]): (document: Doc) => SortTuple {
  const paths = keys.map(({ path }) => path.split("."));
  const inOrder = compareTuples(keys);
  return (document) => {
    const tuple: Value[] = [];
    for (const parts of paths) {
      const value = direct(document, parts);
      if (Array.isArray(value)) {
        const start = paths.map((path) => ({ node: document, parts: path, at: 0, isFinal: false }));
        return expand(start).reduce((least, next) => (inOrder(next, least) < 0 ? next : least));
      }
      tuple.push(value ?? null);
    }
    return tuple;
  };
}
