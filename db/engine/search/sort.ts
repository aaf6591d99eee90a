/** The order of documents. A missing field is null; an array has no place in an order here, and is refused. */

import { splitPath } from "../expression/path.ts";
import { fail, failUnsupported } from "../values/errors.ts";
import { present } from "../values/present.ts";
import {
  compareValues,
  type Doc,
  isDoc,
  isNumber,
  toNumber,
  typeName,
  type Value,
} from "../values/values.ts";

export interface SortKey {
  path: string;
  direction: 1 | -1;
}

const MAX_KEYS = 32;

export function parseSort(spec: Doc): SortKey[] {
  if (spec.size > MAX_KEYS) fail(13103, "too many compound keys");
  return [...spec].map(([path, value]) => ({
    path: checkPath(path),
    direction: parseDirection(path, value),
  }));
}

function checkPath(path: string): string {
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

/** The value along the path, or the array that stands in its way. */
function getSortValue(document: Doc, parts: readonly string[]): Value | undefined {
  let node: Value | undefined = document;
  for (const part of parts) {
    if (!(node instanceof Map)) return Array.isArray(node) ? node : undefined;
    node = node.get(part);
  }
  return node;
}

export function createTupleComparator(keys: readonly SortKey[]): (a: SortTuple, b: SortTuple) => number {
  const directions = keys.map(({ direction }) => direction);
  return (a, b) => {
    for (let i = 0; i < directions.length; i++) {
      const order = compareValues(present(a[i]), present(b[i]));
      if (order !== 0) return order * present(directions[i]);
    }
    return 0;
  };
}

/** Returns a function that reads a document's sort values, so that they are read once and compared often. */
export function createTupleReader(keys: readonly SortKey[]): (document: Doc) => SortTuple {
  const paths = keys.map(({ path }) => path.split("."));
  return (document) =>
    paths.map((parts) => {
      const value = getSortValue(document, parts);
      return Array.isArray(value)
        ? failUnsupported(`a sort by an array, at '${parts.join(".")}'`)
        : (value ?? null);
    });
}
