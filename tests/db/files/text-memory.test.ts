import { expect, it } from "vitest";
import { createTextMemory } from "#db/files/text-memory.ts";

it("keeps the texts that were read last, within its limit", () => {
  const texts = createTextMemory(10);
  for (const key of ["a", "b", "c"]) texts.keep(key, "1234");
  expect(texts.recall("a")).toBeUndefined();
  expect(texts.recall("b")).toBe("1234");

  texts.keep("d", "1234");

  expect(["b", "c", "d"].map((key) => texts.recall(key))).toEqual(["1234", undefined, "1234"]);
});

it("counts a text once that is kept again", () => {
  const texts = createTextMemory(10);
  for (const text of ["12345678", "1234", "12"]) texts.keep("a", text);
  texts.keep("b", "12345678");
  expect([texts.recall("a"), texts.recall("b")]).toEqual(["12", "12345678"]);
});

it("does not keep a text that would push out all others", () => {
  const texts = createTextMemory();
  texts.keep("a", "x");
  texts.keep("b", "y".repeat(100_001));
  expect([texts.recall("a"), texts.recall("b")]).toEqual(["x", undefined]);
});
