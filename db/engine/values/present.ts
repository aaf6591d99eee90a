/**
 * A value that is certain to be there, such as the item at an index within bounds. The item is read by the caller and only
 * looked at here, so that a hot loop keeps its own kind of read and the check costs one comparison.
 */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("A value is missing that has to be there");
  return value;
}
