import { expect, it } from "vitest";
import { createTextCache } from "#db/files/text-memory.ts";
import { createPreferredCache } from "#db/search/preferred-memory.ts";

it("keeps the texts that were read last, within its limit", () => {
  const texts = createTextCache(10);
  for (const key of ["a", "b", "c"]) texts.keep(key, "1234");
  expect(texts.recall("a")).toBeUndefined();
  expect(texts.recall("b")).toBe("1234");

  texts.keep("d", "1234");

  expect(["b", "c", "d"].map((key) => texts.recall(key))).toEqual(["1234", undefined, "1234"]);
});

it("counts a text once that is kept again", () => {
  const texts = createTextCache(10);
  for (const text of ["12345678", "1234", "12"]) texts.keep("a", text);
  texts.keep("b", "12345678");
  expect([texts.recall("a"), texts.recall("b")]).toEqual(["12", "12345678"]);
});

it("does not keep a text that would push out all others", () => {
  const texts = createTextCache();
  texts.keep("a", "x");
  texts.keep("b", "y".repeat(100_001));
  expect([texts.recall("a"), texts.recall("b")]).toEqual(["x", undefined]);
});

function openMemory() {
  let now = 0;
  let finds = 0;
  const memory = createPreferredCache(() => now);
  const find = async () => [++finds];
  return {
    ...{ memory, find },
    pass(ms: number) {
      now += ms;
    },
  };
}

it("finds once for a question that is asked again within two seconds", async () => {
  const { memory, find, pass } = openMemory();
  expect(await memory.recall("7", "a", find)).toEqual([1]);
  pass(1_999);
  expect(await memory.recall("7", "a", find)).toEqual([1]);
  pass(1);
  expect(await memory.recall("7", "a", find)).toEqual([2]);
});

it("finds again for another question, for another person, and after it was told to forget", async () => {
  const { memory, find } = openMemory();
  expect(await memory.recall("7", "a", find)).toEqual([1]);
  expect(await memory.recall("7", "b", find)).toEqual([2]);
  expect(await memory.recall("8", "b", find)).toEqual([3]);
  memory.forget("8");
  expect(await memory.recall("7", "b", find)).toEqual([2]);
  expect(await memory.recall("8", "b", find)).toEqual([4]);
});

it("does not keep a failure", async () => {
  const { memory, find } = openMemory();
  await expect(memory.recall("7", "a", () => Promise.reject(new Error("store")))).rejects.toThrow("store");
  expect(await memory.recall("7", "a", find)).toEqual([1]);
});
