/** Runs rows of the table under every fault. */

import { expect, it } from "vitest";
import { itemAt, required } from "#domain/required.ts";
import { FAULTS, openFaultStore } from "./fault-store.ts";
import type { VerbRow } from "./verb-row.ts";

const FAULT_NAMES = Object.keys(FAULTS);
/** A verb of many writes is struck at its first, its last, and so many between them. */
const BETWEEN_MAX = 6;

/** The first and the last write of a verb meet every fault, those between them one each, in turn. */
function chooseStrikes(writes: number, turn: number): { nth: number; fault: string }[] {
  const ends = new Set([1, writes]);
  const step = Math.max(1, Math.ceil((writes - 2) / BETWEEN_MAX));
  const between = Array.from({ length: Math.max(0, writes - 2) }, (_, i) => i + 2).filter(
    (_, i) => i % step === 0,
  );
  return [
    ...[...ends].flatMap((nth) => FAULT_NAMES.map((fault) => ({ nth, fault }))),
    ...between.map((nth, i) => ({ nth, fault: itemAt(FAULT_NAMES, (turn + i) % FAULT_NAMES.length) })),
  ];
}

export async function strikeVerbs(rows: Record<string, VerbRow>): Promise<void> {
  const services = await openFaultStore();
  it.each(Object.entries(rows).map(([name, verb], turn) => [name, verb, turn] as const))(
    "%s does what it acknowledges once, and what failed can be asked for again",
    async (_, verb, turn) => {
      const prepared = await services.prepare(verb);
      expect(prepared.undisturbed.writes).toBeGreaterThan(0);
      for (const { nth, fault } of chooseStrikes(prepared.undisturbed.writes, turn))
        await services.strikeNth(prepared, required(FAULTS[fault]), nth).catch((error) => {
          throw Object.assign(error, { message: `${fault} at write ${nth}: ${error.message}` });
        });
    },
    120_000,
  );
}
