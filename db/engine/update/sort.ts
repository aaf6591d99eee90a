/** The order that $push's $sort asks for: of whole elements, or of fields of elements that are documents. */

import { arrayIndex } from "../filter/path.ts";
import { fail } from "../values/errors.ts";
import { compare, isNumber, toNumber, type Value } from "../values/values.ts";

type Order = (a: Value, b: Value) => number;

function direction(value: Value): 1 | -1 {
  const number = isNumber(value) ? toNumber(value) : 0;
  if (number !== 1 && number !== -1) fail(2, "The $sort element value must be either 1 or -1");
  return number;
}

/** A missing field counts as null; arrays are entered by index alone. */
function fieldAt(item: Value, parts: string[]): Value {
  let current: Value | undefined = item;
  for (const part of parts) {
    if (current instanceof Map) current = current.get(part);
    else if (Array.isArray(current) && current !== item) current = current[arrayIndex(part)];
    else return null;
    if (current === undefined) return null;
  }
  return current;
}

export function sortOrder(sort: Value): Order {
  if (isNumber(sort)) {
    const sign = direction(sort);
    return (a, b) => sign * compare(a, b);
  }
  if (!(sort instanceof Map))
    fail(
      2,
      "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields",
    );
  if (sort.size === 0) fail(2, "The $sort pattern is empty when it should be a set of fields.");
  const keys = [...sort].map(([path, value]) => {
    const parts = path.split(".");
    if (parts.includes("")) fail(2, `The $sort field is a dotted field but has an empty part: ${path}`);
    return { parts, sign: direction(value) };
  });
  return (a, b) => {
    for (const { parts, sign } of keys) {
      const order = compare(fieldAt(a, parts), fieldAt(b, parts));
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}
