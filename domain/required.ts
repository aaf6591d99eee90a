/** A value that must be there. Where it is missing, this throws with its name. */
export function required<Value>(value: Value | null | undefined, what = "value"): Value {
  if (value === undefined || value === null) throw new Error(`There is no ${what}`);
  return value;
}

/** The item at an index that the list is certain to have. */
export function itemAt<Item>(list: readonly Item[], index: number): Item {
  if (!(index in list)) throw new RangeError(`There is no item ${index} among ${list.length}`);
  // It is there, and may be undefined where items may be.
  return list[index] as Item;
}

/** The last item of a list that is certain to have one. */
export function lastItem<Item>(list: readonly Item[]): Item {
  return itemAt(list, list.length - 1);
}
