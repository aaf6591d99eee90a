import { ChildProcess } from "node:child_process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchProgram } from "#worker/sandbox/program-watch.ts";

const LIMIT_MS = 5_000;

/** Watches a program whose process stays silent. */
const watchSilent = (timeoutMs: number, signal?: AbortSignal) =>
  watchProgram(new ChildProcess(), { code: "", timeoutMs, memoryMb: 32 }, () => {}, signal);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("ends a program whose process says nothing within two seconds after its limit, and not before", async () => {
  const ended = vi.fn();
  void watchSilent(LIMIT_MS).ended.then(ended);
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ ending: "timed_out" }));
});

it("keeps what a program reports before its limit", async () => {
  const watch = watchSilent(LIMIT_MS);
  watch.receive({ end: { exit: 3 } });
  await vi.advanceTimersByTimeAsync(3 * LIMIT_MS);
  expect((await watch.ended).ending).toEqual({ exit: 3 });
});

it("ends a program that nobody waits for any more", async () => {
  const leaving = new AbortController();
  const watch = watchSilent(LIMIT_MS, leaving.signal);
  leaving.abort();
  expect((await watch.ended).ending).toBe("crashed");
});
