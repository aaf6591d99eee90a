import { describe, expect, it } from "vitest";
import { readSort, type Sort, sortRows, writeSort } from "#domain/sort.ts";

const COLUMNS = ["name", "count"] as const;
const OTHERWISE: Sort<"name" | "count"> = { by: "name", descending: false };

describe("a sort", () => {
  it.each(["count", "-count", "name", "-name"])("comes back from its address as %s", (given) => {
    expect(writeSort(readSort(given, COLUMNS, OTHERWISE))).toBe(given);
  });

  it.each([null, "", "-", "nonsense", "--count"])("of %j is the usual one", (given) => {
    expect(readSort(given, COLUMNS, OTHERWISE)).toEqual(OTHERWISE);
  });

  it("keeps equal rows in order and puts those without a value last, both ways", () => {
    const rows = [
      { name: "a", count: null },
      { name: "b", count: 1 },
      { name: "c", count: 2 },
      { name: "d", count: 1 },
    ];
    const order = (descending: boolean) =>
      sortRows(rows, { by: "count" as const, descending }).map(({ name }) => name);
    expect(order(false)).toEqual(["b", "d", "c", "a"]);
    expect(order(true)).toEqual(["c", "b", "d", "a"]);
  });
});
