import { expect, it } from "vitest";
import { countCommon, measureLikeness } from "#domain/text/likeness.ts";

it("counts a repeated word as often as both lists have it", () => {
  expect(countCommon(["a", "a", "b"], ["a", "a", "a", "c"])).toBe(2);
  expect(countCommon(["a"], ["b"])).toBe(0);
});

it.each([
  [[], [], 1],
  [["a"], [], 0],
  [["a", "b"], ["b", "a"], 1],
  [["a", "b"], ["a", "c"], 0.5],
])("measures %j and %j as %d", (one, other, likeness) => {
  expect(measureLikeness(one, other)).toBe(likeness);
});
