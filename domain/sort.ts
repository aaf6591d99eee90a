/** A table's sort order. Its form in addresses is a column's name, with a minus if it descends. */
export type Sort<Id extends string> = { by: Id; descending: boolean };

export function parseSort<Id extends string>(
  text: string | null,
  columns: readonly Id[],
  defaultSort: Sort<Id>,
): Sort<Id> {
  const by = columns.find((column) => column === text?.replace(/^-/, ""));
  return by && text ? { by, descending: text.startsWith("-") } : defaultSort;
}

export function toSortText({ by, descending }: Sort<string>): string {
  return descending ? `-${by}` : by;
}

/** Equal rows keep their order; rows without a value come last in both directions. */
export function sortRows<Id extends string, Row extends Record<Id, string | number | null>>(
  rows: readonly Row[],
  { by, descending }: Sort<Id>,
): Row[] {
  const direction = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [a[by], b[by]];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return left < right ? -direction : left > right ? direction : 0;
  });
}
