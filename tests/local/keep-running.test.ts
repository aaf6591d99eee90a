import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startChild } from "#db/local/processes/child.ts";
import { type KeepOptions, keepRunning } from "#db/local/processes/keep-running.ts";
import { ended, readIdentity } from "#tests/support/programs/running.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";

const node = (script: string) => `'${process.execPath}' -e '${script}'`;
const QUICK = { limit: 3, windowMs: 60_000, firstPauseMs: 1 };

async function keptChild(command: string, options: Partial<KeepOptions<ReturnType<typeof startChild>>> = {}) {
  const cwd = await temporaryDirectory("keep");
  const start = vi.fn(() => startChild({ command, cwd, env: process.env, log: () => {}, graceMs: 200 }));
  const gaveUp = Promise.withResolvers<string>();
  const keeper = await keepRunning({
    name: "subject",
    start,
    log: () => {},
    onGiveUp: gaveUp.resolve,
    pace: QUICK,
    ...options,
  });
  onTestFinished(() => keeper.stop());
  return { keeper, start, cwd, gaveUp: gaveUp.promise };
}

describe("a process that is kept running", () => {
  it("may end any number of times with enough time between", async () => {
    const { gaveUp, start } = await keptChild(node("process.exit(1)"), { pace: { ...QUICK, windowMs: 0 } });
    const outcome = await Promise.race([
      gaveUp,
      vi.waitUntil(() => start.mock.calls.length > 2 * QUICK.limit, 10_000),
    ]);

    expect(outcome).toBe(true);
  });

  it("ends with its own child processes", async () => {
    const spawnAnother = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" })`;
    const lines: string[] = [];
    const cwd = await temporaryDirectory("keep");
    const log = (line: string) => void lines.push(line);
    const command = node(`console.log(${spawnAnother}.pid); setInterval(() => {}, 1e9)`);
    const child = startChild({ command, cwd, env: process.env, log });
    const grandchild = readIdentity(Number(await vi.waitUntil(() => lines[0], { timeout: 10_000 })));

    await child.stop();

    expect(await child.exited).toEqual({ code: null, signal: "SIGTERM" });
    await ended(grandchild);
  });

  it("is killed if it does not end when asked to", async () => {
    const stubborn = node('process.on("SIGTERM", () => {}); console.log("deaf"); setInterval(() => {}, 1e9)');
    const { keeper, cwd } = await keptChild(`${stubborn} > output`);
    const output = join(cwd, "output");
    await vi.waitUntil(() => existsSync(output) && readFileSync(output, "utf8") === "deaf\n", {
      timeout: 10_000,
    });

    await keeper.stop();

    expect(await keeper.current().exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("stays stopped, even if it is stopped in the pause before a restart", async () => {
    const pausing = Promise.withResolvers<void>();
    const { keeper, start } = await keptChild(node("process.exit(1)"), {
      pace: { ...QUICK, firstPauseMs: 3_600_000 },
      log: () => pausing.resolve(),
    });
    await pausing.promise;

    await keeper.stop();

    expect(start).toHaveBeenCalledTimes(1);
  });

  it("says so when even its first start fails", async () => {
    const start = () => Promise.reject(new Error("no room"));

    await expect(keepRunning({ name: "x", start, log: () => {}, onGiveUp: () => {} })).rejects.toThrow(
      "no room",
    );
  });
});

it("a process of the Procfile reports its address and hands over its output line by line", async () => {
  const cwd = await temporaryDirectory("keep");
  const lines: string[] = [];
  const ready = Promise.withResolvers<string>();
  const script = 'console.log("one\\ntwo"); process.send({ ready: true, url: "http://here" })';

  const child = startChild({
    command: node(script),
    cwd,
    env: process.env,
    log: (line) => void lines.push(line),
    onReady: ready.resolve,
  });

  expect(await ready.promise).toBe("http://here");
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(lines).toEqual(["one", "two"]);
});
