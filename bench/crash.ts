/**
 * The whole product, started by its launcher, whose processes are killed with SIGKILL in turn, 50 times each (`--kills=`,
 * `--of=web,worker,engine,postgres`), while writers save files, notes, ticks and reminders and run programs over HTTP, each with
 * its own account of what was acknowledged. Fails where something acknowledged is lost, something is half written, the product
 * answers what it never should, or does not come back by itself (goal: within ten seconds).
 */

import { type Kill, killInTurn } from "#tests/crash/kills.ts";
import { isProcessName, PROCESS_NAMES, type ProcessName } from "#tests/crash/processes.ts";
import { startStage } from "#tests/crash/stage.ts";
import { writeOn } from "#tests/crash/writer.ts";
import { givenMongoDB } from "#tests/support/databases/given-mongodb.ts";
import type { Figure } from "./figures.ts";
import { toTiming } from "./measure.ts";
import { option, quick, words } from "./options.ts";

const KILLS = 50;
const QUICK_KILLS = 5;
const WRITERS_OF_EACH = 3;
const EVERY_MS = 20;
const LAST_LINES = 60;
const BACK_WITHIN = { atMost: 10 };
// The launcher gives up what it has to start more than five times within a minute.
const SAME_EVERY_MS = 15_500;

function namesGiven(): ProcessName[] {
  const names = words("of") ?? PROCESS_NAMES;
  const unknown = names.filter((name) => !isProcessName(name));
  if (unknown.length > 0) throw new Error(`No such process: ${unknown}. There are: ${PROCESS_NAMES}`);
  return names as ProcessName[];
}

/** Seconds until the whole product was back, and what of its promises was broken. */
type Outcome = { figures: Figure[]; wrong: string[] };

function toFigures(name: ProcessName, kills: Kill[]): Figure[] {
  const took = kills.filter((kill) => kill.name === name).map(({ backAfterMs }) => backAfterMs / 1_000);
  const what = `back after a kill of ${name}`;
  return [
    { what: `${what}, p50`, ours: toTiming(took).p50, unit: "s" },
    { what: `${what}, the slowest of ${took.length}`, ours: Math.max(...took), unit: "s", goal: BACK_WITHIN },
  ];
}

async function killEach(names: ProcessName[], kills: number): Promise<Outcome> {
  const stage = await startStage();
  try {
    const writing = writeOn(await stage.writers(WRITERS_OF_EACH), EVERY_MS);
    const done = await killInTurn({
      caller: stage.caller,
      launcherPid: stage.product.pid,
      names: Array.from({ length: kills }, () => names).flat(),
      sameEveryMs: SAME_EVERY_MS,
      onBack: ({ name, backAfterMs }) =>
        console.log(`${name.padEnd(9)}${(backAfterMs / 1_000).toFixed(1)} s`),
    });
    const { acknowledged, unanswered, wrong } = await stage.inStore((db) => writing.finish(db));
    console.log(`${acknowledged} writes acknowledged, ${unanswered} not answered, ${wrong.length} wrong`);
    return {
      figures: [
        { what: "writes acknowledged", ours: acknowledged, unit: "" },
        { what: "of them lost or halved", ours: wrong.length, unit: "", goal: { atMost: 0 } },
        ...names.flatMap((name) => toFigures(name, done)),
      ],
      wrong,
    };
  } catch (error) {
    console.log(stage.product.lines.slice(-LAST_LINES).join("\n"));
    throw error;
  } finally {
    await stage.product.stop();
  }
}

export async function run(): Promise<Figure[]> {
  const names = namesGiven();
  const kills = option("kills", quick ? QUICK_KILLS : KILLS);
  console.log(`# kill -9 of ${names.join(", ")}, ${kills} times each`);
  if (givenMongoDB) console.log("Skipped: kills of the engine, because the documents are on another server.");
  const { figures, wrong } = await killEach(names, kills);
  if (wrong.length > 0) throw new Error(`That is not what it promises:\n${wrong.join("\n")}`);
  return figures;
}
