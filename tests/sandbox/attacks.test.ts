import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itemAt } from "#domain/required.ts";
import { drawCases } from "#tests/support/test-runs/tier.ts";
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
/** A busy machine may not run a program's first line in the shortest time. */
const SHORT_MS = [800, 5_000, 20_000];
const LONG_MS = 60_000;
const TIMEOUT_MS = 240_000;

/**
 * Two people at once. A program that ended by itself leaves its process to the same person's next one, which must find nothing of it;
 * after any other end the process is gone.
 */
const turns: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
let runs = 0;
function run(order: Partial<ProgramOrder> & { code: string }) {
  const turn = runs++ % turns.length;
  const ended = itemAt(turns, turn).then(async () => {
    const attacker = `attacker ${turn}`;
    const child = await sandbox.take(attacker);
    const isThere = () => existsSync(`/proc/${child.pid}`);
    expect(isThere()).toBe(true);
    const result = await child.runProgram({
      timeoutMs: LONG_MS,
      memoryMb: 32,
      allowedImports: null,
      ...order,
    });
    sandbox.giveBack(child, attacker);
    if (typeof result.ending === "object") return result;
    await child.gone;
    expect(isThere()).toBe(false);
    return result;
  });
  turns[turn] = ended.catch(() => {});
  return ended;
}

/** An endless program gets as long as it needs for its output. */
async function runUntilWritten(order: Partial<ProgramOrder> & { code: string }, stdout: string | RegExp) {
  for (const timeoutMs of SHORT_MS) {
    const result = await run({ ...order, timeoutMs });
    if (result.output.stdout.match(stdout)) return result;
  }
  throw new Error("The program wrote nothing");
}

const probed = [
  ...Object.entries(PROBES).map(([name, probes]) => ({ name, probes, allowedImports: null })),
  ...Object.entries(GUARDED_PROBES).map(([name, probes]) => ({ name, probes, allowedImports: undefined })),
];
describe.each(probed)("$name:", ({ probes, allowedImports }) => {
  // One program makes all attempts of a group; it starts while the tests are collected.
  const tried = run({ code: probing(probes), allowedImports });
  it.for(probes.map(([attempt, outcome], i) => ({ attempt, outcome, i })))(
    "$attempt",
    { timeout: TIMEOUT_MS },
    async ({ outcome, i }) => {
      const { ending, output } = await tried;
      expect(ending).toEqual({ exit: 0 });
      expect(JSON.parse(output.stdout)[i]).toMatch(outcome);
    },
  );
});

describe("what JavaScript reaches:", () => {
  const tried = run({ code: probeJavaScript(), language: "javascript" });
  it.for(JAVASCRIPT_PROBES.map(([attempt, outcome], i) => ({ attempt, outcome, i })))(
    "$attempt",
    { timeout: TIMEOUT_MS },
    async ({ outcome, i }) => {
      const { ending, output } = await tried;
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
/** The commit draws one attack in twelve of each kind; the same limits stop all of a kind. */
const drawn = ({ name, assaults }: (typeof assaulted)[number]) =>
  drawCases(`assaults of ${name}`, assaults, Math.ceil(assaults.length / 12));
describe.each(assaulted)("$name:", ({ language, ...group }) => {
  it.concurrent.for(drawn({ language, ...group }))(
    "%s",
    { timeout: TIMEOUT_MS },
    async ([_name, code, expected], { expect }) => {
      const order = { code, language };
      // A program that reports its own end ends at once.
      const isShort = (expected.ending === "timed_out" && !expected.stderr) || expected.orTimedOut;
      const { ending, output } = await (isShort
        ? runUntilWritten(order, expected.stdout ?? "")
        : run({ ...order, timeoutMs: LONG_MS }));

      const endings = expected.orTimedOut ? [expected.ending, "timed_out"] : [expected.ending];
      expect(endings).toContainEqual(ending);
      expect(output.stdout).toMatch(expected.stdout ?? "");
      expect(output.stderr).toMatch(expected.stderr ?? "");
      if (expected.truncated !== undefined) expect(output.truncated).toBe(expected.truncated);
    },
  );
});
