/** How a table is sorted, and how its address says so: a column's name, with a minus where it descends. */
export type Sort<Id extends string> = { by: Id; descending: boolean };

export function readSort<Id extends string>(
  given: string | null,
  columns: readonly Id[],
  otherwise: Sort<Id>,
): Sort<Id> {
  const by = columns.find((column) => column === given?.replace(/^-/, ""));
  return by && given ? { by, descending: given.startsWith("-") } : otherwise;
}

export function writeSort({ by, descending }: Sort<string>): string {
  return descending ? `-${by}` : by;
}

/** Rows that are equal in the column keep their order; those without a value come last either way. */
export function sortRows<Id extends string, Row extends Record<Id, string | number | null>>(
  rows: readonly Row[],
  { by, descending }: Sort<Id>,
): Row[] {
  const turn = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [a[by], b[by]];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return left < right ? -turn : left > right ? turn : 0;
  });
}
