import { expect, it } from "vitest";
import { firstLines } from "#domain/text/first-lines.ts";

it.each([
  ["", ""],
  ["a\r\nb\r\n", "a\nb"],
  ["a\nb\nc\nd", "a\nb\nc"],
  ["123456\nx", "1234\nx"],
  ["🐸🐸🐸🐸🐸", "🐸🐸🐸🐸"],
  ["\n\n\n\n", ""],
])("%j begins with %j", (text, wanted) => {
  expect(firstLines(text, { lines: 3, characters: 4 })).toBe(wanted);
});
