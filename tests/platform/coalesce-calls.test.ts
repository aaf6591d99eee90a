import { expect, it } from "vitest";
import { itemAt } from "#domain/required.ts";
import { coalesceCalls } from "#platform/coalesce-calls.ts";

it("calls during a pending answer share the next one, made after them", async () => {
  const calls: string[] = [];
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const ask = coalesceCalls(async (key) => {
    const turn = calls.push(key);
    await itemAt(gates, turn - 1).promise;
    return turn;
  });

  const first = ask("a");
  const waiting = Array.from({ length: 20 }, () => ask("a"));
  const other = ask("b");

  expect(calls).toEqual(["a", "b"]);
  for (const { resolve } of gates) resolve();
  expect(await first).toBe(1);
  expect(await other).toBe(2);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([3]));
  expect(calls).toEqual(["a", "b", "a"]);
});

it("a failed answer fails the calls that share it, and the next one continues", async () => {
  let turns = 0;
  const ask = coalesceCalls(async () => {
    turns += 1;
    if (turns < 3) throw new Error("away");
    return turns;
  });

  const results = await Promise.allSettled([ask("a"), ask("a"), ask("a")]);

  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(turns).toBe(2);
  expect(await ask("a")).toBe(3);
});
