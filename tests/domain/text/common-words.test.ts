import { expect, it } from "vitest";
import { listOwnWords } from "#domain/text/common-words.ts";

it("lists the words of a line that not every line has", () => {
  expect(listOwnWords("  RETURN self.total_price + tax2;")).toEqual(["total_price", "tax2"]);
  expect(listOwnWords("} else if (x) {")).toEqual([]);
  expect(listOwnWords("let שלום = 1")).toEqual(["שלום", "1"]);
});

it("reads no more of a long line than it needs", () => {
  expect(listOwnWords(`${" ".repeat(495)}early late`)).toEqual(["early"]);
});
