/**
 * How a filter's dotted path meets a document. A path names fields of objects; through an array it means
 * every object in it, and a component of digits also means that element. A path that ends in an array
 * stands for each element and for the array itself; one that ends at an element's index stands for that
 * element alone. Where nothing is found the test is asked once about `undefined`, except inside arrays
 * whose elements are no objects: there nothing is asked at all.
 */

import { fail } from "../values/errors.ts";
import { present } from "../values/present.ts";
import type { Doc, Value } from "../values/values.ts";

/** Where an array was met, for the positional operator: the outermost one passed through wins. */
export interface Trail {
  index: number | undefined;
}

export type Test = (value: Value | undefined, trail: Trail | undefined) => boolean;
export type Holder = Doc | Value[];

export interface Path {
  parts: readonly string[];
  /** The parts as array indexes; -1 where a part is not one. */
  indexes: readonly number[];
}

const MAX_PARTS = 180;
const CANONICAL_INDEX = /^(?:0|[1-9][0-9]{0,9})$/;

export function parsePath(text: string): Path {
  const parts = text.split(".");
  if (parts.length > MAX_PARTS) fail(5729100, "FieldPath is too long");
  return { parts, indexes: parts.map(arrayIndex) };
}

/** The index that a name means in an array, or -1. "01" is a name and no index. */
export function arrayIndex(name: string): number {
  return CANONICAL_INDEX.test(name) ? Number(name) : -1;
}

/** True if a value at the path passes the test. With `elements`, the elements of a final array are tested too. */
export function testPath(
  path: Path,
  holder: Holder,
  test: Test,
  trail: Trail | undefined,
  elements: boolean,
): boolean {
  return fromField(path, 0, holder, test, trail, elements);
}

/** Tests the elements of an array first and then the array itself. */
function testElements(array: Value[], test: Test, trail: Trail | undefined): boolean {
  for (let i = 0; i < array.length; i++) {
    if (test(array[i], trail)) {
      if (trail) trail.index = i;
      return true;
    }
  }
  return test(array, trail);
}

function fromField(
  path: Path,
  start: number,
  holder: Holder,
  test: Test,
  trail: Trail | undefined,
  elements: boolean,
): boolean {
  const last = path.parts.length - 1;
  let current = holder;
  for (let index = start; ; index++) {
    const value: Value | undefined =
      current instanceof Map
        ? current.get(present(path.parts[index]))
        : current[present(path.indexes[index])];
    if (value === undefined) return test(undefined, trail);
    if (index === last)
      return elements && Array.isArray(value) ? testElements(value, test, trail) : test(value, trail);
    if (Array.isArray(value)) return throughArray(path, index + 1, value, test, trail, elements);
    if (!(value instanceof Map)) return test(undefined, trail);
    current = value;
  }
}

function throughArray(
  path: Path,
  index: number,
  array: Value[],
  test: Test,
  trail: Trail | undefined,
  elements: boolean,
): boolean {
  const wanted = path.indexes[index];
  const ends = index === path.parts.length - 1;
  for (let i = 0; i < array.length; i++) {
    const item = array[i];
    if (item instanceof Map) {
      if (fromField(path, index, item, test, trail, elements)) {
        if (trail) trail.index = i;
        return true;
      }
      if (
        i === wanted &&
        (ends ? test(item, trail) : fromField(path, index + 1, item, test, trail, elements))
      )
        return true;
    } else if (i === wanted) {
      if (ends) {
        if (test(item, trail)) return true;
      } else if (Array.isArray(item) && throughArray(path, index + 1, item, test, trail, elements))
        return true;
    }
  }
  return false;
}
