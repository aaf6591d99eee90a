import { describe, expect, it } from "vitest";
import { sortByName, toNameOrder } from "#domain/files/name-order.ts";

const inBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const sortByBytes = (names: string[]) => names.toSorted((a, b) => inBytes(toNameOrder(a), toNameOrder(b)));

describe("names in a list", () => {
  it.each([
    ["whatever their case", ["apple", "Banana", "cherry", "Zebra"]],
    ["numbers by their value", ["file1", "file2", "file10", "file010a", "file100"]],
    ["numbers before letters, and shorter names before longer ones", ["a", "a1", "ab", "abc"]],
    ["accents beside their letters", ["été", "etude", "eve", "Éze"]],
    ["numbers in the middle", ["v1.2.9", "v1.2.10", "v1.10.0", "v2"]],
    ["Hebrew after Latin, by its letters", ["z", "אבג", "בית 2", "בית 10"]],
    ["long numbers", ["9".repeat(80), "1".repeat(81), "9".repeat(200), "a"]],
  ])("stand %s", (_, names) => {
    expect(sortByBytes(names.toReversed())).toEqual(names);
    expect(sortByName(names.toReversed(), (name) => name)).toEqual(names);
  });

  it("that stand alike are always in the same order", () => {
    const names = ["A", "a", "á", "01", "1"];
    const once = sortByName(names, (name) => name);
    expect(sortByName(names.toReversed(), (name) => name)).toEqual(once);
  });

  it("that are many and long stand by their beginnings, and then as they are written", () => {
    const end = "x".repeat(240);
    const long = Array.from({ length: 3_000 }, (_, n) => `b${n}${end}2`);
    const names = ["a10", "A9", `c${end}10`, `c${end}9`, ...long];
    const sorted = sortByName(names, (name) => name);
    expect(sorted.slice(0, 4)).toEqual(["A9", "a10", long[0], long[1]]);
    expect(sorted.slice(-3)).toEqual([long.at(-1), `c${end}10`, `c${end}9`]);
    expect(sortByName(names.slice(0, 4), (name) => name).slice(2)).toEqual([`c${end}9`, `c${end}10`]);
  });
});
