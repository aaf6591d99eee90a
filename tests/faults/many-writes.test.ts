import { describe, expect, it } from "vitest";
import { required } from "#domain/required.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { openFaultStore } from "./fault-store.ts";
import { MANY_WRITES, NEVER_HALF } from "./many-writes.ts";
import { listManyWrites, type ManyWrite } from "./store-verbs.ts";
import { VERB_ROWS } from "./verb-table.ts";
import { SEED_ROWS } from "./verbs/files.ts";

needsEngine("it uses fail points that are the engine's own");

const calls = listManyWrites();
const services = await openFaultStore();
const stopped = new Set<string>();

/** The call whose lines the innermost frame of ours names. */
function findCall(stack: string): ManyWrite | undefined {
  for (const [, path, line] of stack.matchAll(/\/((?:db|app|worker)\/[^:\s()]+\.tsx?):(\d+):\d+/g)) {
    const found = calls.find(
      ({ file, fromLine, toLine }) => file === path && fromLine <= Number(line) && Number(line) <= toLine,
    );
    if (found) return found;
  }
  return undefined;
}

describe("a write to many documents", () => {
  it("has a row that says who finishes it", () => {
    expect(calls.length).toBeGreaterThan(50);
    expect(calls.map(({ name }) => name).sort()).toEqual(Object.keys(MANY_WRITES).sort());
  });

  it.each(Object.entries({ ...VERB_ROWS, ...SEED_ROWS }))(
    "stopped in the middle in %s is finished",
    async (_, verb) => {
      const prepared = await services.prepare(verb);
      for (const [i, size] of prepared.undisturbed.manyWrites.entries()) {
        if (size < 2) continue;
        const halt = await services.stopNth(prepared, i + 1);
        expect(halt?.written).toBeGreaterThan(0);
        expect(halt?.written).toBeLessThan(required(halt).of);
        stopped.add(findCall(required(halt).stack)?.name ?? required(halt).stack);
      }
    },
  );

  it("was stopped in the middle, each one there is", () => {
    const halvable = Object.keys(MANY_WRITES).filter((name) => !NEVER_HALF[name]);
    expect([...stopped].sort()).toEqual(halvable.sort());
  });
});
