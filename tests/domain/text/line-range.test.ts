import { expect, it } from "vitest";
import { parseLineRange, writtenRange } from "#domain/text/line-range.ts";

it.each([
  ["4", 4, 4],
  ["L4", 4, 4],
  ["4-8", 4, 8],
  ["L8-L4", 4, 8],
  ["9999999", 9_999_999, 9_999_999],
])("reads %s as a range", (text, from, to) => {
  expect(parseLineRange(text)).toEqual({ from, to });
});

it.each([null, "", "L", "4-", "-4", "4-8-9", "12345678", " 4", "l4"])("reads no range from %j", (text) => {
  expect(parseLineRange(text)).toBeNull();
});

it("writes a range as it can be read", () => {
  expect(writtenRange({ from: 4, to: 4 })).toBe("4");
  expect(writtenRange({ from: 4, to: 8 })).toBe("4-8");
});
