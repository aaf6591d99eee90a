/**
 * The keys under which an index files a document. An array is filed once per element; of one document only
 * one array can be spread (two that are independent are refused), and fields below the same array are
 * spread together. Missing is filed as null, an empty array as undefined.
 */

import { fail } from "../values/errors.ts";
import { type Direction, encodeKey } from "../values/keys.ts";
import { present } from "../values/present.ts";
import { type Doc, UNDEFINED, type Value } from "../values/values.ts";

export interface IndexField {
  path: string;
  parts: string[];
  direction: Direction;
}

export interface IndexEntry {
  key: Buffer;
  values: Value[];
}

interface IndexKeys {
  entries: IndexEntry[];
  /** Bit i is set when field i went through an array. */
  multikey: number;
}

/** One field on its way down: where it stands, what is left of its path, whether it is done. */
interface Walk {
  value: Value | undefined;
  rest: string[];
}

/** Follows the path until its end or the first array that has to be spread. */
function descend(walk: Walk): Walk {
  let { value, rest } = walk;
  while (rest.length > 0) {
    if (value instanceof Map) {
      value = value.get(present(rest[0]));
      rest = rest.slice(1);
    } else if (Array.isArray(value)) {
      return { value, rest };
    } else return { value: undefined, rest: [] };
  }
  return { value, rest };
}

function isSpread(walk: Walk, settled: boolean): walk is Walk & { value: Value[] } {
  return Array.isArray(walk.value) && !settled;
}

/**
 * @param settled fields whose value came out of a spread array: an array inside an array is one value.
 */
function spreadArrays(walks: Walk[], settled: boolean[], emit: (values: Value[]) => void): number {
  const places = walks.map((walk, i) => (settled[i] ? walk : descend(walk)));
  const array = places.find((place, i) => isSpread(place, present(settled[i])))?.value as Value[] | undefined;
  if (!array) {
    emit(places.map((place) => (place.value === undefined ? null : place.value)));
    return 0;
  }
  let bits = 0;
  const below = places.map((place, i) => {
    if (!isSpread(place, present(settled[i]))) return false;
    if (place.value !== array) fail(171, "cannot index parallel arrays");
    bits |= 1 << i;
    return true;
  });
  const items = array.length > 0 ? array : [UNDEFINED];
  for (const item of items) {
    const next = places.map((place, i) =>
      below[i] ? { value: enterItem(item, place.rest), rest: place.rest } : place,
    );
    const nextSettled = places.map(
      (place, i) => settled[i] || (below[i] === true && place.rest.length === 0),
    );
    bits |= spreadArrays(next, nextSettled, emit);
  }
  return bits;
}

/** Returns undefined for an element that is no document if the path continues. */
function enterItem(item: Value, rest: string[]): Value | undefined {
  return rest.length === 0 || item instanceof Map ? item : undefined;
}

export function indexKeys(document: Doc, fields: readonly IndexField[]): IndexKeys {
  const directions = fields.map((field) => field.direction);
  const entries = new Map<string, IndexEntry>();
  const multikey = spreadArrays(
    fields.map((field) => ({ value: document, rest: field.parts })),
    fields.map(() => false),
    (values) => {
      const key = encodeKey(values, directions);
      entries.set(key.toString("latin1"), { key, values });
    },
  );
  return { entries: [...entries.values()], multikey };
}
