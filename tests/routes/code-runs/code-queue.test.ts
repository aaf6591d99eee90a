import { describe, expect, it } from "vitest";
import { startRun } from "#app/code-runs/run-code.server.ts";
import { listRuns } from "#db/jobs/job-run-lists.server.ts";
import { type CodeRunOrder, codeRunResult, createLoneProgram } from "#domain/code-runs/code-run.ts";
import { collect as collectAll } from "#tests/support/files/library-zips.ts";
import { orThrow } from "#tests/support/test-runs/or-throw.ts";
import { ADMIN_ID, openTestWeb, type Visitor } from "#tests/support/web.ts";

/** A program's way through the queue, with the test as the worker. */
const web = await openTestWeb({
  CODE_RUNS_PER_USER: "3",
  CODE_QUEUE_MAX: "4",
  CODE_QUEUE_WAIT_SECONDS: "1",
  RATE_LIMIT_CODE_RUNS_PER_MINUTE: "12",
});
const { codeRuns } = web.queue;
const ORDER: CodeRunOrder = {
  code: "print(1)",
  language: "python",
  timeout: 1,
  memory_limit_mb: 64,
  stdin: "",
  args: [],
  ...createLoneProgram("python"),
};
const NO_OUTPUT = { stdout: "", stderr: "", truncated: false, ms: 0, grownBytes: null };
const BOUNDS = { perMinute: 100, perUser: 3, queued: 4 };

const add = (id: string, userId: string, bounds: typeof BOUNDS, order = ORDER) =>
  codeRuns.add({ id, userId, order, isLive: true }, bounds);

const post = (visitor: Visitor) => visitor.send("POST", "/api/code/run", ORDER);

describe("a program in the queue", () => {
  it("that no worker takes within the wait is abandoned: try again later", async () => {
    const admin = await web.person(ADMIN_ID);

    const answer = await post(admin);
    expect(answer).toMatchObject({
      status: 503,
      body: { success: false, error: "queue_unavailable", retry_after: 5 },
    });
    expect(answer.headers.get("Retry-After")).toBe("5");
    expect(await listRuns(web.db, { job_id: "code_run", status: "pending", limit: 5 })).toEqual([]);
  });

  it("is claimed once, and its result is delivered once", async () => {
    await add("a", "u1", BOUNDS);
    expect(await codeRuns.collect("a")).toMatchObject({ state: "queued" });

    expect(await Promise.all([codeRuns.claim("a"), codeRuns.claim("a")])).toEqual(
      expect.arrayContaining([{ userId: "u1", order: ORDER, isLive: true }, null]),
    );
    expect(await codeRuns.collect("a")).toMatchObject({ state: "running" });
    const output = { stdout: "1\n", stderr: "", truncated: false, ms: 3, grownBytes: 0 };
    await codeRuns.finish("a", codeRunResult(ORDER, { exit: 0 }, output));

    expect(await codeRuns.collect("a")).toMatchObject({ state: "finished", result: { stdout: "1\n" } });
    expect(await codeRuns.collect("a")).toBeNull();
  });

  it("that was withdrawn is not run", async () => {
    await add("b", "u1", BOUNDS);
    await codeRuns.withdraw("b");
    expect(await codeRuns.claim("b")).toBeNull();
  });

  it.each([
    ["before it starts is cancelled", false, { event: "refused" }],
    ["as a worker takes it has run, and is stopped", true, { event: "result", result: { error: "Stopped" } }],
  ])("whose reader leaves %s", async (_, isTaken, ending) => {
    const leaving = new AbortController();
    const collect: typeof codeRuns.collect = async (id) => {
      const progress = await codeRuns.collect(id);
      leaving.abort();
      if (isTaken) await codeRuns.claim(id);
      return progress;
    };
    const queue = { ...web.queue, codeRuns: { ...codeRuns, collect } };
    const request = { userId: "leaver", order: ORDER, isLive: true, signal: leaving.signal };
    const limits = { ...BOUNDS, waitSeconds: 5 };
    const events = orThrow(await startRun({ db: web.db, queue, clock: web.clock }, request, limits));
    expect(await collectAll(events)).toMatchObject([ending]);
  });

  it("says how many are to start before it: the sooner of as many runs of their owners, and first runs before all others", async () => {
    for (const [id, user] of [
      ["f1", "u1"],
      ["f2", "u1"],
      ["g1", "u2"],
    ] as const)
      await add(id, user, BOUNDS);

    const ahead = async (id: string) => await codeRuns.collect(id);

    expect(await Promise.all(["f1", "g1", "f2"].map(ahead))).toMatchObject([
      { state: "queued", ahead: 0 },
      { state: "queued", ahead: 1 },
      { state: "queued", ahead: 2 },
    ]);
    await codeRuns.claim("f1");
    expect(await ahead("f2")).toMatchObject({ state: "queued", ahead: 1 });
    for (const id of ["f1", "f2", "g1"]) await codeRuns.withdraw(id);
  });

  it("is stopped by its owner only; it does not run then, and its reader learns that", async () => {
    await add("h", "u1", BOUNDS);
    expect(await codeRuns.stop("h", "u2")).toBe(false);
    expect(await codeRuns.collect("h")).toMatchObject({ state: "queued" });

    expect(await codeRuns.stop("h", "u1")).toBe(true);

    expect(await codeRuns.claim("h")).toBeNull();
    expect(await codeRuns.collect("h")).toEqual({ state: "stopped" });
    expect(await codeRuns.stop("h", "u1")).toBe(false);
  });

  it("that runs is stopped at once: its worker learns of the stop and its reader of the end, without polling", async () => {
    const stopped = Promise.withResolvers<string>();
    await codeRuns.onStopped(stopped.resolve);
    await add("heard", "u1", BOUNDS);
    await codeRuns.claim("heard");
    const changes = { count: 0, heard: Promise.withResolvers<void>() };
    const stopWatching = await codeRuns.watch("heard", () => {
      changes.count += 1;
      if (changes.count === 2) changes.heard.resolve();
    });

    await codeRuns.stop("heard", "u1");
    expect(await stopped.promise).toBe("heard");
    await codeRuns.finish("heard", codeRunResult(ORDER, "stopped", NO_OUTPUT));
    await changes.heard.promise;

    stopWatching();
    expect(await codeRuns.collect("heard")).toMatchObject({ state: "finished", result: { exit_code: 130 } });
  });

  it("has its output beside it while it runs, and none before, after, or once it is withdrawn", async () => {
    const chunk = (number: number) => ({
      number,
      chunks: [{ stream: "stdout" as const, text: `\0\ud800${number}` }],
    });
    await add("i", "u1", BOUNDS);
    await codeRuns.appendOutput("i", chunk(1));
    expect(await codeRuns.listOutput("i", 0)).toEqual([]);

    await codeRuns.claim("i");
    for (const number of [1, 2, 3]) await codeRuns.appendOutput("i", chunk(number));

    expect(await codeRuns.listOutput("i", 1)).toEqual([chunk(2), chunk(3)]);
    await codeRuns.withdraw("i");
    await codeRuns.appendOutput("i", chunk(4));
    expect(await codeRuns.listOutput("i", 0)).toEqual([]);
  });

  it("carries every text there and back, NUL and half a surrogate pair included", async () => {
    const order = { ...ORDER, code: "\0\ud800", stdin: "\0\udfff", args: ["\0"] };
    await add("j", "u1", BOUNDS, order);
    expect(await codeRuns.claim("j")).toMatchObject({ order });
    const output = { stdout: "\0", stderr: "\ud800", truncated: false, ms: 3, grownBytes: 0 };
    await codeRuns.finish("j", codeRunResult(ORDER, { exit: 0 }, output));
    expect(await codeRuns.collect("j")).toMatchObject({ result: { stdout: "\0", stderr: "\ud800" } });
  });

  it("comes after everyone else's first program, however many its owner has sent", async () => {
    const ahead = [];
    for (const [id, user] of [
      ["c1", "u1"],
      ["c2", "u1"],
      ["c3", "u1"],
      ["d1", "u2"],
    ] as const)
      ahead.push(await add(id, user, BOUNDS));

    expect(ahead).toEqual([{ ahead: 0 }, { ahead: 1 }, { ahead: 2 }, { ahead: 0 }]);
    expect(await add("c4", "u1", { ...BOUNDS, queued: 100 })).toBe("user_has_too_many");
    expect(await add("e1", "u3", BOUNDS)).toBe("queue_full");
    for (const id of ["c1", "c2", "c3", "d1"]) await codeRuns.withdraw(id);
  });

  it("is one too many when its owner sends them too fast", async () => {
    const bounds = { ...BOUNDS, perMinute: 2 };
    for (const id of ["k1", "k2"]) {
      expect(await add(id, "u9", bounds)).toEqual({ ahead: 0 });
      await codeRuns.withdraw(id);
    }

    expect(await add("k3", "u9", bounds)).toEqual({ waitSeconds: expect.toSatisfy((s) => s > 0 && s <= 60) });
    expect(await codeRuns.collect("k3")).toBeNull();
    expect(await add("l1", "u8", bounds)).toEqual({ ahead: 0 });
    await codeRuns.withdraw("l1");
  });
});

it("a refused program leaves no record of a run", async () => {
  const admin = await web.person(ADMIN_ID);
  const runs = () => web.db.job_runs.countDocuments({ job_id: "code_run" });
  for (const id of ["m1", "m2", "m3"]) await add(id, ADMIN_ID, BOUNDS);
  const before = await runs();

  expect(await post(admin)).toMatchObject({ status: 429, body: { error: "rate_limit_exceeded" } });

  expect(await runs()).toBe(before);
  for (const id of ["m1", "m2", "m3"]) await codeRuns.withdraw(id);
});

it("running code can be disabled", async () => {
  const off = await openTestWeb({ CODE_EXECUTION_ENABLED: "0" });
  const admin = await off.person(ADMIN_ID);

  const refused = { success: false, error: "execution_disabled" };
  expect(await post(admin)).toMatchObject({ status: 503, body: refused });
  expect((await admin.send("GET", "/api/code/run/limits")).body).toMatchObject({ enabled: false });
});
