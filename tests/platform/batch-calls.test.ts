import { expect, it } from "vitest";
import { batchCalls } from "#platform/batch-calls.ts";

it("calls during a pending batch are sent together, and each gets its own answer", async () => {
  const batches: number[][] = [];
  const first = Promise.withResolvers<void>();
  const double = batchCalls(async (keys: number[]) => {
    batches.push(keys);
    if (batches.length === 1) await first.promise;
    return keys.map((key) => key * 2);
  });

  const early = [double(1), double(2)];
  await new Promise((resolve) => setImmediate(resolve));
  const late = Array.from({ length: 120 }, (_, i) => double(i + 3));
  first.resolve();

  expect(await Promise.all([...early, ...late])).toEqual(Array.from({ length: 122 }, (_, i) => 2 * (i + 1)));
  expect(batches.map(({ length }) => length)).toEqual([2, 100, 20]);
});

it("a failed batch fails its own calls, and the next one continues", async () => {
  let fails = true;
  const ask = batchCalls(async (keys: string[]) => {
    if (fails) throw new Error("away");
    return keys;
  });

  const results = await Promise.allSettled([ask("a"), ask("b")]);
  fails = false;

  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("c")).toBe("c");
});
