import { afterAll, describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { createLog } from "#platform/log.ts";
import { createMetrics } from "#platform/metrics/metrics.ts";
import { runWithPageTimeLimit } from "#platform/threads/page-time.ts";
import { digestKey } from "#platform/threads/result-cache.ts";
import type { ThreadJob, ThreadResult } from "#platform/threads/thread-job.ts";
import { createThreadPool, type ThreadPool, type ThreadPoolOptions } from "#platform/threads/thread-pool.ts";
import type { echo, fail, hold, repeat, spinFor, threadNumber } from "#tests/platform/pool-jobs.ts";
import { parseMetrics } from "#tests/support/measures/prometheus.ts";

const job = <F extends (input: never) => unknown = (input: unknown) => unknown>(
  run: string,
  limits: Partial<ThreadJob<unknown, unknown>> = {},
) =>
  ({
    name: run,
    module: "#tests/platform/pool-jobs.ts",
    run,
    processorMs: 60_000,
    maxOutput: 10_000,
    ...limits,
  }) as ThreadJob<Parameters<F>[0], ReturnType<F>>;

const ECHO = job<typeof echo>("echo");
const HOLD = job<typeof hold>("hold");
const THREAD_NUMBER = job<typeof threadNumber>("threadNumber");

/** A busy machine starts a thread late. */
const PATIENT = { timeout: 120_000 };

const pools: ThreadPool[] = [];
const openPool = (options: ThreadPoolOptions) => {
  const pool = createThreadPool(options);
  pools.push(pool);
  return pool;
};
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

/** Repeats a run that a busy machine gave no time. */
async function untilNotBusy<T>(attempt: () => Promise<ThreadResult<T>>): Promise<ThreadResult<T>> {
  for (;;) {
    const result = await attempt();
    if (result.ok || result.reason !== "busy") return result;
  }
}

/** A gate for runs of `hold`, and their count. */
function openGate() {
  const gate = new SharedArrayBuffer(12);
  const places = new Int32Array(gate);
  return {
    gate,
    inside: () => Atomics.load(places, 1),
    most: () => Atomics.load(places, 2),
    open() {
      Atomics.store(places, 0, 1);
      Atomics.notify(places, 0);
    },
  };
}

describe("a run", () => {
  const pool = openPool({ size: 2, memoryMb: 64 });
  const owner = "one";

  it("answers what the function of its module answers", async () => {
    expect(await pool.run(ECHO, { a: ["b", 1] }, { owner })).toEqual({ ok: true, value: { a: ["b", 1] } });
  });

  it.each(["spin", "backtrack"])(
    "that never ends is given up by processor time: %s",
    PATIENT,
    async (name) => {
      const attempt = () => pool.run(job(name, { processorMs: 200 }), null, { owner });
      expect(await untilNotBusy(attempt)).toEqual({ ok: false, reason: "too_slow" });
      expect(await pool.run(ECHO, 1, { owner })).toEqual({ ok: true, value: 1 });
    },
  );

  it("shares the time of its request, and no other request's", PATIENT, async () => {
    const spin = (key?: string) =>
      untilNotBusy(() => pool.run(job("spin", { processorMs: 400 }), null, { owner, key }));
    const answers = await runWithPageTimeLimit(
      async () => [await spin("same"), await spin(), await spin()],
      300,
    );

    expect(answers).toEqual(Array(3).fill({ ok: false, reason: "too_slow" }));
    const echoed = () => untilNotBusy(() => pool.run(ECHO, 1, { owner, key: "echo" }));
    expect(await runWithPageTimeLimit(echoed, 0)).toEqual({ ok: false, reason: "too_slow" });
    expect(await runWithPageTimeLimit(echoed)).toEqual({ ok: true, value: 1 });
    expect(await runWithPageTimeLimit(echoed, 0)).toEqual({ ok: true, value: 1 });
  });

  it("that throws fails, and the log says which kind of error and nothing of the text", async () => {
    const lines: string[] = [];
    const log = createLog({ process: "web", level: "debug", write: (line) => lines.push(line) });
    const logging = openPool({ size: 1, log });
    expect(await logging.run(job<typeof fail>("fail"), undefined as never, { owner })).toEqual({
      ok: false,
      reason: "failed",
    });
    expect(JSON.parse(itemAt(lines, 0))).toMatchObject({
      event: "thread_job_failed",
      job: "fail",
      error: "RangeError",
    });
    expect(lines.join()).not.toContain("private");
  });

  it("whose memory runs out costs its thread and nothing else", async () => {
    const before = await pool.run(THREAD_NUMBER, undefined as never, { owner });
    expect(await pool.run(job("fillMemory"), null, { owner })).toEqual({ ok: false, reason: "failed" });
    const after = await pool.run(THREAD_NUMBER, undefined as never, { owner });
    expect(after).toMatchObject({ ok: true });
    expect(after).not.toEqual(before);
  });

  it("whose answer is too large is given up on its thread, which goes on", async () => {
    const before = await pool.run(THREAD_NUMBER, undefined as never, { owner });
    const REPEAT = job<typeof repeat>("repeat", { maxOutput: 1_000 });
    expect(await pool.run(REPEAT, { text: "x".repeat(100), times: 9 }, { owner })).toMatchObject({
      ok: true,
    });
    expect(await pool.run(REPEAT, { text: "x".repeat(100), times: 10 }, { owner })).toEqual({
      ok: false,
      reason: "too_large",
    });
    expect(await pool.run(REPEAT, { text: "", times: 200 }, { owner })).toMatchObject({ ok: true });
    expect(await pool.run(job("unclonable"), null, { owner })).toEqual({ ok: false, reason: "failed" });
    expect(before).toMatchObject({ ok: true });
  });

  it("gives way to the event loop where the system lets a thread do so", async () => {
    const expected = process.platform === "linux" ? 5 : 0;
    expect(await pool.run(job("priority"), null, { owner })).toEqual({ ok: true, value: expected });
  });
});

describe("threads", () => {
  it("are shared: one owner never holds more than half, and others go on", async () => {
    const pool = openPool({ size: 4 });
    const gate = openGate();
    const blockedRuns = Array.from({ length: 12 }, () =>
      pool.run(HOLD, { gate: gate.gate }, { owner: "greedy" }),
    );
    await expect.poll(gate.inside, PATIENT).toBe(2);
    expect(await pool.run(ECHO, "mine", { owner: "other" })).toEqual({ ok: true, value: "mine" });
    gate.open();
    expect((await Promise.all(blockedRuns)).every(({ ok }) => ok)).toBe(true);
    expect(gate.most()).toBe(2);
  });

  it("take waiting runs in turn by owner", async () => {
    const pool = openPool({ size: 1 });
    const gate = openGate();
    const order: string[] = [];
    const first = pool.run(HOLD, { gate: gate.gate }, { owner: "a" });
    const run = async (owner: string, name: string) => {
      await pool.run(ECHO, null, { owner });
      order.push(name);
    };
    const all = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1"), run("c", "c1")];
    await expect.poll(gate.inside, PATIENT).toBe(1);
    gate.open();
    await Promise.all([first, ...all]);
    expect(order).toEqual(["a1", "b1", "c1", "a2", "a3"]);
  });

  it("let an owner whose texts took long wait while the process is busy for others, and nobody else", async () => {
    let isBusy = true;
    const pool = openPool({ size: 2, isBusyFor: (owner) => isBusy && owner === "greedy" });
    const SPIN_FOR = job<typeof spinFor>("spinFor");
    expect(await pool.run(SPIN_FOR, 300, { owner: "greedy" })).toMatchObject({ ok: true });
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    const greedy = pool.run(ECHO, 1, { owner: "greedy" }).then(note("greedy"));
    const turn = pool.awaitTurn("greedy").then(note("turn"));
    await pool.run(ECHO, 2, { owner: "greedy", atOnce: true }).then(note("at once"));
    await pool.run(ECHO, 3, { owner: "other" }).then(note("other"));
    await pool.awaitTurn("other").then(note("other's turn"));
    expect(order).toEqual(["at once", "other", "other's turn"]);
    isBusy = false;
    await greedy;
    await turn;
  });

  it("have a bounded queue, in which who has most waiting gives way", async () => {
    const pool = openPool({ size: 1, maxWaiting: 3 });
    const gate = openGate();
    const first = pool.run(HOLD, { gate: gate.gate }, { owner: "a" });
    await expect.poll(gate.inside, PATIENT).toBe(1);
    const greedy = [1, 2, 3, 4].map((n) => pool.run(ECHO, n, { owner: "a" }));
    expect(await greedy[3]).toEqual({ ok: false, reason: "busy" });
    const other = pool.run(ECHO, "b", { owner: "b" });
    expect(await greedy[2]).toEqual({ ok: false, reason: "busy" });
    gate.open();
    expect(await other).toEqual({ ok: true, value: "b" });
    expect(await Promise.all([first, greedy[0], greedy[1]])).toMatchObject(Array(3).fill({ ok: true }));
  });

  it("keep no run waiting longer than the limit", async () => {
    const pool = openPool({ size: 1, maxWaitMs: 1 });
    const gate = openGate();
    const blockedRun = pool.run(HOLD, { gate: gate.gate }, { owner: "a" });
    await expect.poll(gate.inside, PATIENT).toBe(1);
    expect(await pool.run(ECHO, 1, { owner: "b" })).toEqual({ ok: false, reason: "busy" });
    gate.open();
    expect(await blockedRun).toMatchObject({ ok: true });
  });

  it("end when they have had nothing to do for a while, and start again", async () => {
    const metrics = createMetrics();
    const pool = openPool({ size: 2, idleMs: 1, metrics });
    const idle = async () =>
      parseMetrics(await metrics.text())
        .get("codeshelf_threads")
        ?.series.find(({ labels }) => labels.state === "idle")?.value;
    expect(await pool.run(ECHO, 1, { owner: "a" })).toMatchObject({ ok: true });
    await expect.poll(idle, PATIENT).toBe(0);
    expect(await pool.run(ECHO, 2, { owner: "a" })).toEqual({ ok: true, value: 2 });
  });
});

describe("results", () => {
  it("are remembered by what they were made from, also while they are being made", async () => {
    const metrics = createMetrics();
    const pool = openPool({ size: 2, metrics });
    const ask = (text: string, owner: string) => pool.run(ECHO, { text }, { owner, key: digestKey(text) });
    const [first, second] = await Promise.all([ask("same", "a"), ask("same", "b")]);
    expect(first).toEqual({ ok: true, value: { text: "same" } });
    expect(second).toBe(first);
    expect(await ask("same", "c")).toBe(first);
    expect(await ask("another", "c")).not.toBe(first);
    const runs = required(parseMetrics(await metrics.text()).get("codeshelf_thread_job_seconds")).series.find(
      ({ name }) => name.endsWith("_count"),
    );
    expect(runs).toMatchObject({ labels: { job: "echo", outcome: "done" }, value: 2 });
  });

  it("that are remembered need no input, and an input that cannot be read is read again", async () => {
    const pool = openPool({ size: 1 });
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads === 1) throw new Error("not there");
      return "text";
    };
    const ask = () => pool.run(ECHO, read, { owner: "a", key: "k" });
    await expect(ask()).rejects.toThrow("not there");
    expect([await ask(), await ask()]).toEqual(Array(2).fill({ ok: true, value: "text" }));
    expect(reads).toBe(2);
  });

  it("that failed are remembered for a while; a busy moment is not", async () => {
    let now = 0;
    const metrics = createMetrics();
    const full = openPool({ size: 1, maxWaiting: 0, now: () => now, metrics });
    const pool = openPool({ size: 1, now: () => now, metrics });
    const ended = async (outcome: string) =>
      required(parseMetrics(await metrics.text()).get("codeshelf_thread_job_seconds")).series.find(
        ({ name, labels }) => name.endsWith("_count") && labels.outcome === outcome,
      )?.value;
    for (const _ of [1, 2])
      expect(await full.run(ECHO, 1, { owner: "a", key: "k" })).toEqual({ ok: false, reason: "busy" });
    expect(await ended("busy")).toBe(2);
    const ask = () => pool.run(job<typeof fail>("fail"), undefined as never, { owner: "a", key: "k" });
    for (const _ of [1, 2, 3]) expect(await ask()).toEqual({ ok: false, reason: "failed" });
    expect(await ended("failed")).toBe(1);
    now += 11 * 60_000;
    await ask();
    expect(await ended("failed")).toBe(2);
  });

  it("give way to newer ones beyond a limit of size", async () => {
    const metrics = createMetrics();
    const pool = openPool({ size: 1, metrics, maxRemembered: 10_000 });
    const ask = (key: string) => pool.run(ECHO, key.repeat(2_000), { owner: "a", key });
    for (const key of ["a", "b", "a", "c", "d", "e", "a", "b"])
      expect(await ask(key)).toMatchObject({ ok: true });
    const count = async () =>
      required(parseMetrics(await metrics.text()).get("codeshelf_thread_job_seconds")).series.find(
        ({ name }) => name.endsWith("_count"),
      )?.value;
    expect(await count()).toBe(6);
  });
});
