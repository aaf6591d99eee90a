/**
 * Running Python: bare `python3`, Pyodide in a fresh Node process, and the product's own way, first in the worker alone and
 * then through HTTP, queue and worker. `--soak` instead makes 500 mixed runs, hostile ones among them: fails where one ends
 * otherwise than it should, where the parent's memory or descriptors grow, or where a process is left (`--runs=500`).
 */

import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, promisify } from "node:util";
import type { Ending } from "#domain/code-runs/code-run.ts";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { createSandbox, type Sandbox } from "#worker/sandbox/pool.ts";
import { CHILD } from "#worker/sandbox/program.ts";
import { startDocuments } from "./documents.ts";
import type { Figure } from "./figures.ts";
import { childrenProcessorMs, ms, processorMs, residentMb, time, timingOf } from "./measure.ts";
import { option, quick } from "./options.ts";
import { startPostgres } from "./postgres.ts";
import { settleIn, startWeb, startWorker, stopped } from "./product.ts";

const ROOT = join(import.meta.dirname, "..");
const CACHE = join(ROOT, "node_modules", ".cache", "codeshelf-sandbox");
// A shim in front of it would be measured too.
const PYTHON = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
const GOAL_RUN_MS = 100;
const GOAL_RUNS_A_SECOND = 4;
const GOAL_LIST_SHARE = 2;
// Enough for a hundred runs beside them: of a few, one that is slow by chance would be the p95.
const LIST_CALLS = quick ? 300 : 1_500;
const HELLO = "print(sum(range(1000)))";
const LOOP = "t = 0\nfor i in range(3_000_000): t += i * i % 7\nprint(t)";
const PYODIDE = `import { loadPyodide } from "pyodide"; (await loadPyodide()).runPython(${JSON.stringify(HELLO)})`;
const HOSTILE: [code: string, ending: Ending][] = [
  ["while True: pass", "timed_out"],
  ["x = []\nwhile True: x.append('a' * 1_000_000)", "out_of_memory"],
  ["print('x' * 10_000_000)", { exit: 0 }],
  ["def f(): f()\nf()", { exit: 1 }],
  ["import time\ntime.sleep(1e6)", "timed_out"],
  ["import os\nos.abort()", "crashed"],
  ["def f(): pass\nf.__code__ = f.__code__.replace(co_code=bytes([255, 255] * 50))\nf()", "crashed"],
  ["for i in range(10 ** 6): open(f'/tmp/{i}', 'wb').write(b'x' * 1_000_000)", { exit: 1 }],
  ["import os\nos._exit(9)", { exit: 9 }],
];

const execute = promisify(execFile);
const say = (name: string, value: string) => console.log(`${name.padEnd(52)}${value}`);
const sayLoad = () =>
  say(
    "load of the machine",
    loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
  );
const both = ({ p50, p95 }: { p50: number; p95: number }) => `p50 ${ms(p50)} ms, p95 ${ms(p95)} ms`;

type Baselines = { python: number; pyodide: number };

async function baselines(): Promise<Baselines> {
  const python = await time(20, () => execute(PYTHON, ["-c", HELLO]));
  say("python3 -c", both(python));
  const node = ["--input-type=module", "-e", PYODIDE];
  const pyodide = await time(quick ? 1 : 3, () => execute(process.execPath, node, { cwd: ROOT }));
  say("Pyodide in a fresh Node process", both(pyodide));
  return { python: python.p50, pyodide: pyodide.p50 };
}

const runOnce = async (sandbox: Sandbox, code: string, timeoutMs = 20_000) => {
  const child = await sandbox.take();
  return child.run({ code, timeoutMs, memoryMb: 64, allowedImports: null });
};

async function alone(sandbox: Sandbox, baseline: Baselines): Promise<Figure[]> {
  const warm: number[] = [];
  const spawned: number[] = [];
  const readyCpu: number[] = [];
  for (let i = 0; i < 10; i++) {
    const before = performance.now();
    const child = await sandbox.take();
    spawned.push(performance.now() - before);
    readyCpu.push(processorMs(required(child.programPid)));
    const resident = residentMb(required(child.programPid));
    if (i === 0) say("resident memory of a waiting process", `${resident.toFixed(0)} MB`);
    const started = performance.now();
    await child.run({ code: HELLO, timeoutMs: 20_000, memoryMb: 64 });
    warm.push(performance.now() - started);
  }
  say("a process made ready, one after the other", both(timingOf(spawned)));
  say("processor time of a process until it is ready", both(timingOf(readyCpu)));
  say("a program in a warm process", both(timingOf(warm)));
  const ours = (await runOnce(sandbox, LOOP)).output.ms;
  const started = performance.now();
  await execute(PYTHON, ["-c", LOOP]);
  const native = performance.now() - started;
  say(
    "three million steps, ours against python3",
    `${ms(ours)} ms / ${ms(native)} ms = ${(ours / native).toFixed(1)}`,
  );
  const [ready, program] = [timingOf(spawned).p50, timingOf(warm).p50];
  return [
    {
      what: "a process made ready, beside plain Pyodide",
      ours: ready,
      baseline: baseline.pyodide,
      unit: "ms",
    },
    {
      what: "a program in a warm process, beside python3",
      ours: program,
      baseline: baseline.python,
      unit: "ms",
    },
    { what: "three million steps, beside python3", ours, baseline: native, unit: "ms" },
  ];
}

interface Product {
  url: string;
  cookie: string;
  stop(): Promise<void>;
}

async function startProduct(directory: string): Promise<Product> {
  // What a worker makes at its first start is there, as it is at every later one.
  cpSync(CACHE, join(directory, "sandbox"), { recursive: true });
  const documents = await startDocuments(directory);
  const postgres = await startPostgres({ directory: join(directory, "postgres"), log: () => {} });
  Object.assign(process.env, {
    ADMIN_USER_IDS: "7",
    RATE_LIMIT_CODE_RUNS_PER_MINUTE: "1000000",
    CODE_RUNS_PER_USER: "100",
    CODE_QUEUE_WAIT_SECONDS: "120",
  });
  const address = { directory, mongodbUri: documents.uri, databaseUrl: postgres.url };
  const web = await startWeb(address);
  const worker = await startWorker(address);
  const stop = async () => {
    await stopped(worker);
    await web.stop();
    await documents.stop();
    await postgres.stop();
  };
  return { url: web.url, cookie: (await settleIn(web.url)).cookie, stop };
}

async function post({ url, cookie }: Product, code: string): Promise<number> {
  const started = performance.now();
  const body = JSON.stringify({ code, timeout: 20 });
  const response = await fetch(`${url}/api/code/run`, { method: "POST", headers: { Cookie: cookie }, body });
  const { exit_code } = await response.json();
  if (exit_code !== 0) throw new Error(`a run answered ${response.status}, ${exit_code}`);
  return performance.now() - started;
}

const pause = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));

async function overHttp(product: Product, baseline: Baselines): Promise<Figure[]> {
  await post(product, HELLO);
  const free: number[] = [];
  for (let i = 0; i < (quick ? 5 : 15); i++) {
    await pause(3_000);
    free.push(await post(product, HELLO));
  }
  say("over HTTP, a warm process free", both(timingOf(free)));
  const one = {
    ours: timingOf(free).p50,
    baseline: baseline.python,
    unit: "ms",
    goal: { atMost: GOAL_RUN_MS },
  };
  const figures: Figure[] = [{ what: "a run over HTTP, a warm process free, beside python3, p50", ...one }];
  for (const callers of [1, 2, 8]) {
    const until = performance.now() + (quick ? 5_000 : 15_000);
    const started = performance.now();
    let runs = 0;
    const caller = async () => {
      while (performance.now() < until) {
        await post(product, HELLO);
        runs++;
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    const perSecond = (1000 * runs) / (performance.now() - started);
    say(`over HTTP, ${callers} at once`, `${perSecond.toFixed(1)} runs/s`);
    const goal = { atLeast: GOAL_RUNS_A_SECOND };
    figures.push({ what: `runs over HTTP, ${callers} at once`, ours: perSecond, unit: "runs/s", goal });
  }
  return figures;
}

async function listUnderLoad(product: Product): Promise<Figure> {
  const headers = { Cookie: product.cookie, Accept: "text/html" };
  const list = () =>
    time(LIST_CALLS, async () => void (await (await fetch(`${product.url}/files`, { headers })).text()));
  const before = await list();
  let busy = true;
  const callers = Array.from({ length: 4 }, async () => {
    while (busy) await post(product, HELLO);
  });
  const loaded = await list();
  busy = false;
  await Promise.all(callers);
  await pause(3_000);
  const after = await list();
  say("/files, nobody runs code, before", both(before));
  say("/files, four run code without pause", both(loaded));
  say("/files, nobody runs code, after", both(after));
  const goal = { atMost: GOAL_LIST_SHARE, of: "ratio" } as const;
  const what = "/files while four run code, beside nobody, p95";
  // What else the machine does may have changed meanwhile: quiet is what it was before and after, at the mean.
  return { what, ours: loaded.p95, baseline: (before.p95 + after.p95) / 2, unit: "ms", goal };
}

const RUNS = option("runs", quick ? 60 : 500);
const GROWTH_MAX_MB = 40;
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Processes of ours that are still there, whoever their parent has become. */
function leftOver(): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      const [, parent] = required(readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)).split(" ");
      return parent === String(process.pid) && readFileSync(`/proc/${name}/cmdline`, "utf8").includes(CHILD);
    } catch {
      return false;
    }
  });
}

async function soak(sandbox: Sandbox): Promise<Figure[]> {
  const resident: number[] = [];
  const descriptors: number[] = [];
  const durations: number[] = [];
  const wrong: string[] = [];
  const started = performance.now();
  const processorBefore = childrenProcessorMs(process.pid);
  const one = async (n: number) => {
    const hostile = n % 4 === 0;
    const [code, ending]: [string, Ending] = hostile
      ? itemAt(HOSTILE, (n / 4) % HOSTILE.length)
      : [HELLO, { exit: 0 }];
    const run = await runOnce(sandbox, code, ending === "timed_out" ? 1_000 : 20_000);
    if (!hostile) durations.push(run.output.ms);
    if (!isDeepStrictEqual(run.ending, ending)) wrong.push(`${JSON.stringify(run.ending)}: ${code}`);
  };
  for (let n = 0; n < RUNS; n += 2) {
    await Promise.all([one(n), one(n + 1)]);
    if (n % 20 !== 0) continue;
    resident.push(process.memoryUsage.rss() / 2 ** 20);
    descriptors.push(readdirSync("/proc/self/fd").length);
  }
  const tookSeconds = (performance.now() - started) / 1000;
  await sandbox.close();
  const left = leftOver();
  const third = Math.ceil(resident.length / 3);
  const grownMb = mean(resident.slice(-third)) - mean(resident.slice(third, 2 * third));
  say(
    `${RUNS} runs, a quarter hostile`,
    `${tookSeconds.toFixed(0)} s, ${both(timingOf(durations))} for the others`,
  );
  say(
    "processor time of a process, from start to end",
    `${ms((childrenProcessorMs(process.pid) - processorBefore) / RUNS)} ms`,
  );
  say("resident memory of the parent along the way, MB", resident.map((mb) => mb.toFixed(0)).join(" "));
  say("last third against the middle one", `${grownMb.toFixed(1)} MB`);
  say("open descriptors of the parent along the way", descriptors.join(" "));
  say("runs that ended otherwise than they should", [String(wrong.length), ...wrong].join("\n  "));
  say("processes left", String(left.length));
  if (
    wrong.length + left.length > 0 ||
    grownMb > GROWTH_MAX_MB ||
    required(descriptors.at(-1)) > itemAt(descriptors, 0) + 8
  )
    throw new Error("That is not what it promises");
  const goal = { atMost: GROWTH_MAX_MB };
  return [{ what: `growth of the parent over ${RUNS} runs`, ours: grownMb, unit: "MB", goal }];
}

export async function run(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), "codeshelf-bench-"));
  const sandbox = createSandbox({
    size: 2,
    cacheDir: CACHE,
    without: ["limits", "user", "network"],
    log: silentLog,
  });
  await sandbox.prepare();
  sayLoad();
  try {
    if (process.argv.includes("--soak")) return await soak(sandbox);
    const baseline = await baselines();
    const inWorker = await alone(sandbox, baseline);
    await sandbox.close();
    const product = await startProduct(directory);
    try {
      return [...inWorker, ...(await overHttp(product, baseline)), await listUnderLoad(product)];
    } finally {
      await product.stop();
    }
  } finally {
    await sandbox.close();
    rmSync(directory, { recursive: true, force: true });
    sayLoad();
  }
}
