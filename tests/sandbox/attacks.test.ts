import { existsSync } from "node:fs";
import { describe, expect, it, type TestContext } from "vitest";
import { itemAt } from "#domain/required.ts";
import { openTestSandbox } from "#tests/support/workers/sandbox.ts";
import type { ProgramOrder } from "#worker/sandbox/program-order.ts";
import { ASSAULTS } from "./assaults.ts";
import {
  JAVASCRIPT_ASSAULTS,
  JAVASCRIPT_PROBES,
  probeJavaScript,
  TYPESCRIPT_ASSAULTS,
} from "./javascript.ts";
import { GUARDED_PROBES, PROBES, probing } from "./probes.ts";

const sandbox = openTestSandbox(2);
const SHORT_MS = 800;
// On a machine that others keep busy, a program may not get to its first line in that time; then it gets more.
const SECOND_TRY_MS = 5_000;
const LONG_MS = 60_000;
const TIMEOUT_MS = 240_000;

/**
 * Two people at once. A program that came to its own end leaves its process to the same person's next one, which must find nothing of
 * it; after any other its process is gone.
 */
const turns: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
let asked = 0;
function run(order: Partial<ProgramOrder> & { code: string }) {
  const turn = asked++ % turns.length;
  const ended = itemAt(turns, turn).then(async () => {
    const attacker = `attacker ${turn}`;
    const child = await sandbox.take(attacker);
    const isThere = () => existsSync(`/proc/${child.pid}`);
    expect(isThere()).toBe(true);
    const result = await child.serve({ timeoutMs: LONG_MS, memoryMb: 32, allowedImports: null, ...order });
    sandbox.giveBack(child, attacker);
    if (typeof result.ending === "object") return result;
    await child.gone;
    expect(isThere()).toBe(false);
    return result;
  });
  turns[turn] = ended.catch(() => {});
  return ended;
}

/** All attempts of a group are one program. It begins while the tests are collected, and runs again for a second try. */
function runForEachTry(order: Partial<ProgramOrder> & { code: string }) {
  const tries = [run(order)];
  return ({ task }: TestContext) => (tries[task.result?.retryCount ?? 0] ??= run(order));
}

const probed = [
  ...Object.entries(PROBES).map(([name, probes]) => ({ name, probes, allowedImports: null })),
  ...Object.entries(GUARDED_PROBES).map(([name, probes]) => ({ name, probes, allowedImports: undefined })),
];
describe.each(probed)("$name:", ({ probes, allowedImports }) => {
  const tried = runForEachTry({ code: probing(probes), allowedImports });
  it.for(probes.map(([attempt, outcome], i) => ({ attempt, outcome, i })))(
    "$attempt",
    { timeout: TIMEOUT_MS },
    async ({ outcome, i }, context) => {
      const { ending, output } = await tried(context);
      expect(ending).toEqual({ exit: 0 });
      expect(JSON.parse(output.stdout)[i]).toMatch(outcome);
    },
  );
});

describe("what JavaScript reaches:", () => {
  const tried = runForEachTry({ code: probeJavaScript(), language: "javascript" });
  it.for(JAVASCRIPT_PROBES.map(([attempt, outcome], i) => ({ attempt, outcome, i })))(
    "$attempt",
    { timeout: TIMEOUT_MS },
    async ({ outcome, i }, context) => {
      const { ending, output } = await tried(context);
      expect(ending).toEqual({ exit: 0 });
      const [results = "", imported] = output.stdout.split("\n");
      expect(JSON.parse(results)[i]).toMatch(outcome);
      expect(imported).toBe("Error: Not supported");
    },
  );
});

const assaulted = [
  ...Object.entries(ASSAULTS).map(([name, assaults]) => ({ name, assaults, language: "python" as const })),
  { name: "JavaScript", assaults: JAVASCRIPT_ASSAULTS, language: "javascript" as const },
  { name: "TypeScript", assaults: TYPESCRIPT_ASSAULTS, language: "typescript" as const },
];
describe.each(assaulted)("$name:", ({ assaults, language }) => {
  it.concurrent.for(assaults)(
    "%s",
    { timeout: TIMEOUT_MS },
    async ([_name, code, expected], { expect, task }) => {
      const shortMs = task.result?.retryCount ? SECOND_TRY_MS : SHORT_MS;
      const { ending, output } = await run({
        code,
        language,
        timeoutMs: expected.ending === "timed_out" || expected.orTimedOut ? shortMs : LONG_MS,
      });

      const endings = expected.orTimedOut ? [expected.ending, "timed_out"] : [expected.ending];
      expect(endings).toContainEqual(ending);
      expect(output.stdout).toMatch(expected.stdout ?? "");
      expect(output.stderr).toMatch(expected.stderr ?? "");
      if (expected.truncated !== undefined) expect(output.truncated).toBe(expected.truncated);
    },
  );
});
