/** Throws if the value is missing. */
export function required<Value>(value: Value | null | undefined, what = "value"): Value {
  if (value === undefined || value === null) throw new Error(`There is no ${what}`);
  return value;
}

export function itemAt<Item>(list: readonly Item[], index: number): Item {
  if (!(index in list)) throw new RangeError(`There is no item ${index} among ${list.length}`);
  // The item exists; it may be undefined if items may be.
  return list[index] as Item;
}

/** Throws if the list is empty. */
export function lastItem<Item>(list: readonly Item[]): Item {
  return itemAt(list, list.length - 1);
}
