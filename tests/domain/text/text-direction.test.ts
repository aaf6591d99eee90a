import { expect, it } from "vitest";
import { detectDirection } from "#domain/text/text-direction.ts";

it.each([
  ["", "ltr"],
  ["123", "ltr"],
  ["hello שלום", "ltr"],
  ["# 1. שלום hello", "rtl"],
  ["مرحبا", "rtl"],
  ["Привет", "ltr"],
])("takes the direction of %j from its first letter: %s", (text, direction) => {
  expect(detectDirection(text)).toBe(direction);
});

it("looks at the beginning alone", () => {
  expect(detectDirection(`${" ".repeat(499)}ש`)).toBe("rtl");
  expect(detectDirection(`${" ".repeat(500)}ש`)).toBe("ltr");
});
