/** Jobs for the tests of the thread pool. None of them returns to its thread's event loop while it works. */
import { getPriority } from "node:os";
import { threadId } from "node:worker_threads";

export const echo = (input: unknown) => input;

export const threadNumber = () => threadId;

export const priority = () => getPriority();

/** Blocks its thread until the gate opens, and returns how many jobs were blocked at that moment. */
export function hold({ gate }: { gate: SharedArrayBuffer }): number {
  const [places, OPEN, INSIDE, MOST] = [new Int32Array(gate), 0, 1, 2];
  const inside = Atomics.add(places, INSIDE, 1) + 1;
  if (inside > Atomics.load(places, MOST)) Atomics.store(places, MOST, inside);
  Atomics.notify(places, INSIDE);
  Atomics.wait(places, OPEN, 0);
  return Atomics.sub(places, INSIDE, 1);
}

export function spin(): never {
  for (;;) Math.random();
}

/** Uses this many milliseconds of processor time. */
export function spinFor(ms: number): number {
  const begun = process.threadCpuUsage();
  while (process.threadCpuUsage(begun).user < ms * 1000) Math.random();
  return ms;
}

/** A pattern that never ends on this text: the pool must end the thread. */
export const backtrack = () => /^(a+)+$/.test(`${"a".repeat(60)}b`);

export function fail(): never {
  throw new RangeError("a private word");
}

export function fillMemory(): number {
  const chunks: string[][] = [];
  for (;;) chunks.push(Array.from({ length: 10_000 }, (_, i) => `${i}${chunks.length}`));
}

export const repeat = ({ text, times }: { text: string; times: number }) => ({
  parts: Array(times).fill(text),
});

export const unclonable = () => ({ call: () => 1 });
