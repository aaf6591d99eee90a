/**
 * The memory of the whole product as its launcher runs it, over a library of 10,000 files (`--files=`): of each process its own and its
 * share of what it has in common with the others, so that the sum is what the machine gives. Idle first, which is once nothing
 * but the worker's clock happens; then halfway through and after 10,000 requests (`--requests=`) of the usual kinds.
 */

import { setTimeout as delay } from "node:timers/promises";
import { fillLibrary } from "#db/local/sample/library.ts";
import { itemAt } from "#domain/required.ts";
import { listDescendants } from "#tests/crash/processes.ts";
import { type Stage, startStage } from "#tests/crash/stage.ts";
import type { Figure } from "./figures.ts";
import { proportionalMb } from "./measure.ts";
import { option, quick } from "./options.ts";

const FILES = option("files", quick ? 1_000 : 10_000);
const REQUESTS = option("requests", quick ? 1_000 : 10_000);
const AT_ONCE = 8;
const IDLE_MS = 30_000;
const SETTLED_MS = 10_000;
const OWNER = "1";

/** What a process is called in the table, by its command line. */
const NAMES: [name: string, command: RegExp][] = [
  ["postgres", /postgres/],
  ["engine", /db\/engine\/main\.ts/],
  ["web", /app\/server\.ts/],
  ["worker", /worker\/index\.ts/],
  ["sandbox", /sandbox/],
];

type Memory = Map<string, number>;

function measureMemory(launcherPid: number): Memory {
  const memory: Memory = new Map([["launcher", proportionalMb(launcherPid)]]);
  for (const { pid, command } of listDescendants(launcherPid)) {
    const name = NAMES.find(([, pattern]) => pattern.test(command))?.[0] ?? "others";
    memory.set(name, (memory.get(name) ?? 0) + proportionalMb(pid));
  }
  return memory;
}

const sum = (memory: Memory) => [...memory.values()].reduce((total, mb) => total + mb, 0);

/** Lists, file pages, searches and JSON, in turns. */
async function askMixed({ caller }: Stage, ids: string[], count: number): Promise<void> {
  const paths = (i: number) => {
    const id = itemAt(ids, i % ids.length);
    return [
      `/files`,
      `/file/${id}`,
      `/api/file/${id}`,
      `/search?q=value${i % 100}`,
      `/api/files`,
      `/dashboard`,
    ];
  };
  let next = 0;
  const askOn = async () => {
    for (let i = next++; i < count; i = next++) {
      const choices = paths(i);
      const headers = { Cookie: caller.cookie, Accept: "text/html, application/json" };
      const answer = await fetch(caller.url + itemAt(choices, i % choices.length), { headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
}

export async function run(): Promise<Figure[]> {
  const stage = await startStage();
  try {
    const ids = await stage.inStore(async (db) => {
      await fillLibrary(db, { ownerId: OWNER, from: 0, to: FILES, now: new Date() });
      const files = await db.files.find({ user_id: OWNER }, { projection: { _id: 1 }, limit: 200 }).toArray();
      return files.map(({ _id }) => _id.toHexString());
    });
    const { pid } = stage.product;
    await delay(IDLE_MS);
    const idle = measureMemory(pid);
    await askMixed(stage, ids, REQUESTS / 2);
    await delay(SETTLED_MS);
    const halfway = measureMemory(pid);
    await askMixed(stage, ids, REQUESTS / 2);
    await delay(SETTLED_MS);
    const used = measureMemory(pid);
    const each = (when: string, memory: Memory): Figure[] =>
      [...memory].map(([name, mb]) => ({ what: `${name}, ${when}`, ours: mb, unit: "MB" }));
    const what = `${FILES} files, ${REQUESTS} requests`;
    return [
      ...each("idle", idle),
      { what: `all processes idle, ${FILES} files`, ours: sum(idle), unit: "MB", goal: { atMost: 450 } },
      ...each("after use", used),
      {
        what: `all processes after use beside halfway, ${what}`,
        ours: sum(used),
        baseline: sum(halfway),
        unit: "MB",
        goal: { atMost: 1.1, of: "ratio" },
      },
    ];
  } finally {
    await stage.product.stop();
  }
}
