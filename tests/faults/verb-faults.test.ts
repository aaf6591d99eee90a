import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { needsEngine } from "#tests/support/databases/server-needs.ts";
import { drawCases, isFullRun } from "#tests/support/test-runs/tier.ts";
import { FAULTS, openFaultStore } from "./fault-store.ts";
import { FINISHERS, MANY_WRITES, NEVER_HALF } from "./many-writes.ts";
import { listManyWrites, listWritingVerbs, type ManyWrite } from "./store-verbs.ts";
import { VERB_ROWS } from "./verb-table.ts";
import { SEED_ROWS } from "./verbs/files.ts";

needsEngine("it uses fail points that are the engine's own");

const services = await openFaultStore();
const operations = readFileSync(join(PROJECT_ROOT, "docs", "operations.md"), "utf8");
const FAULT_NAMES = Object.keys(FAULTS);
/** A driver repeats a write that any of these refused: each verb meets one of them at its ends, in turn. */
const REFUSALS = [
  ...["10107 not the primary", "11602 interrupted", "189 stepped down", "91 shutting down"],
  "connection lost before",
];
const OTHERS = FAULT_NAMES.filter((name) => !REFUSALS.includes(name));
/** A verb of many writes is struck at its first, its last, and at most this many between. */
const BETWEEN_MAX = 6;

type Strike = { nth: number; fault: string };

/**
 * In a full run the first and the last write meet faults of every kind, and those between one each, in turn. Otherwise the last one, after
 * which nothing is repaired, meets one fault that the commit draws.
 */
function chooseStrikes(name: string, writes: number, turn: number): Strike[] {
  if (!isFullRun)
    return drawCases(`faults of ${name}`, FAULT_NAMES, 1).map((fault) => ({ nth: writes, fault }));
  const ends = new Set([1, writes]);
  const takeTurn = (names: readonly string[], i: number) => itemAt(names, (turn + i) % names.length);
  const step = Math.max(1, Math.ceil((writes - 2) / BETWEEN_MAX));
  const between = Array.from({ length: Math.max(0, writes - 2) }, (_, i) => i + 2).filter(
    (_, i) => i % step === 0,
  );
  return [
    ...[...ends].flatMap((nth, i) => [takeTurn(REFUSALS, i), ...OTHERS].map((fault) => ({ nth, fault }))),
    ...between.map((nth, i) => ({ nth, fault: takeTurn(FAULT_NAMES, i) })),
  ];
}

/** The commit draws one verb in five; every run checks that each verb has a row. */
const rows = Object.entries({ ...VERB_ROWS, ...SEED_ROWS }).map(([name, verb], turn) => ({
  name,
  verb,
  turn,
}));
const drawn = drawCases("verbs", rows, rows.length / 5);

const manyWrites = listManyWrites();
const stopped = new Set<string>();

/** The call at the innermost frame of our sources. */
function findManyWrite(stack: string): ManyWrite | undefined {
  for (const [, path, line] of stack.matchAll(/\/((?:db|app|worker)\/[^:\s()]+\.tsx?):(\d+):\d+/g)) {
    const call = manyWrites.find(
      ({ file, fromLine, toLine }) => file === path && fromLine <= Number(line) && Number(line) <= toLine,
    );
    if (call) return call;
  }
  return undefined;
}

describe("the table of verbs and faults", () => {
  /** A verb may have another row for another state: `notes/createNote (…)`. */
  const verbs = [...new Set(Object.keys(VERB_ROWS).map((name) => name.replace(/ \(.*$/, "")))].sort();

  it("has a row for every verb of the store that writes", () => {
    const written = listWritingVerbs();
    expect(written.length).toBeGreaterThan(150);
    expect(verbs).toEqual(written);
  });

  it("has a row for every write to many documents, which says what finishes it", () => {
    expect(manyWrites.length).toBeGreaterThan(50);
    expect(manyWrites.map(({ name }) => name).sort()).toEqual(Object.keys(MANY_WRITES).sort());
  });

  it("is in the operator's guide with its verbs, its faults and what finishes each", () => {
    expect(operations).toContain(`${verbs.length} verbs`);
    for (const fault of FAULT_NAMES) expect(operations).toContain(`| ${fault} |`);
    expect(operations).toContain(`${Object.keys(MANY_WRITES).length} calls`);
    for (const [finisher, calls] of Map.groupBy(Object.values(MANY_WRITES), (finisher) => finisher))
      expect(operations).toContain(`| ${FINISHERS[finisher]} | ${calls.length} |`);
  });
});

describe("during a fault of a replica set,", () => {
  it.each(drawn)(
    "$name does acknowledged work once, and failed or interrupted work can be repeated",
    async ({ name, verb, turn }) => {
      const prepared = await services.prepare(verb);
      const { writes, manyWrites: sizes } = prepared.undisturbed;
      expect(writes).toBeGreaterThan(0);
      if (name in VERB_ROWS)
        for (const { nth, fault } of chooseStrikes(name, writes, turn))
          await services.strikeNth(prepared, required(FAULTS[fault]), nth).catch((error) => {
            throw Object.assign(error, { message: `${fault} at write ${nth}: ${error.message}` });
          });
      for (const [i, size] of sizes.entries()) {
        if (size < 2) continue;
        const halt = required(await services.stopNth(prepared, i + 1));
        expect(halt.written).toBeGreaterThan(0);
        expect(halt.written).toBeLessThan(halt.of);
        stopped.add(findManyWrite(halt.stack)?.name ?? halt.stack);
      }
    },
    120_000,
  );

  it("every write to many documents of these verbs was stopped in the middle", () => {
    const halvable = Object.keys(MANY_WRITES).filter((name) => !NEVER_HALF[name]);
    if (isFullRun) expect([...stopped].sort()).toEqual(halvable.sort());
    else expect(halvable).toEqual(expect.arrayContaining([...stopped]));
    expect(stopped.size).toBeGreaterThan(isFullRun ? 40 : 2);
  });
});
