import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitJsonArray } from "#domain/files/json-elements.ts";

const LIMITS = { depthMax: 16, valuesMax: 1_000 };
const split = (text: string, limits = LIMITS) =>
  [...splitJsonArray(new TextEncoder().encode(text), limits)].map((element) =>
    "fault" in element ? { fault: element.fault } : JSON.parse(new TextDecoder().decode(element.bytes)),
  );

describe("the elements of a JSON array", () => {
  it("are what parsing the whole gives, however it is written", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 6 }), fc.nat(3), (values, indent) => {
        expect(split(JSON.stringify(values, null, indent))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it("may hold brackets, commas and quotes in their strings", () => {
    const values = ["],[", '"', "\\", '\\"', "{", "ש,]", ""];
    expect(split(JSON.stringify(values))).toEqual(values);
  });

  it("are none where there are none", () => {
    expect(split(" [ ] \n")).toEqual([]);
  });

  it.each([
    ["", "not_a_list"],
    ["{}", "not_a_list"],
    ["0", "not_a_list"],
    ["[", "not_json"],
    ["[0", "not_json"],
    ['["', "not_json"],
    ['["\\', "not_json"],
    ["[}]", "not_json"],
    ["[] 0", "not_json"],
    [`[${"[".repeat(17)}`, "too_deep"],
    [`[[${"0,".repeat(1_000)}0]]`, "too_many_values"],
  ])("of %s are refused", (text, fault) => {
    expect(split(text).at(-1)).toEqual({ fault });
  });

  it("are given before what is wrong behind them", () => {
    expect(split("[1, [2], [[[")).toEqual([1, [2], { fault: "not_json" }]);
  });
});
