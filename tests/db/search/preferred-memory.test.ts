import { expect, it } from "vitest";
import { createPreferredMemory } from "#db/search/preferred-memory.ts";

function openMemory() {
  let now = 0;
  let found = 0;
  const memory = createPreferredMemory(() => now);
  const find = async () => [++found];
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
