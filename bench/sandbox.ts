/**
 * Running Python: bare `python3`, Pyodide in a fresh Node process, and the product's own way, first in the worker alone and
 * then through HTTP, queue and worker. `--soak` instead makes 500 mixed runs of ten people in three languages, hostile ones
 * among them: fails where one ends otherwise than it should, where two people share a process, where the parent's memory or
 * descriptors grow, or where a process is left (`--runs=500`).
 */

import { execFile } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { PROJECT_ROOT } from "#platform/project-root.ts";
import { createSandbox, type Sandbox } from "#worker/sandbox/pool.ts";
import { withClosing, withDatabases } from "./databases.ts";
import type { Figure } from "./figures.ts";
import { ms, processorMs, residentMb, time, toTiming } from "./measure.ts";
import { quick } from "./options.ts";
import { endProcess, settleIn, startWeb, startWorker } from "./product.ts";
import { type BenchProgram, GOOD, HELLO, SCRIPT } from "./sandbox-programs.ts";
import { both, say, soak } from "./sandbox-soak.ts";
import { measureStop } from "./sandbox-stop.ts";

const CACHE = join(PROJECT_ROOT, "node_modules", ".cache", "codeshelf-sandbox");
// A shim in front of it would be measured too.
const PYTHON = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
const GOAL_RUN_MS = 40;
const GOAL_RUNS_A_SECOND = 12;
const GOAL_LIST_SHARE = 2;
// Enough for a hundred runs beside them: of a few, one that is slow by chance would be the p95.
const LIST_CALLS = quick ? 300 : 1_500;
const LOOP = "t = 0\nfor i in range(3_000_000): t += i * i % 7\nprint(t)";
const PYODIDE = `import { loadPyodide } from "pyodide"; (await loadPyodide()).runPython(${JSON.stringify(HELLO)})`;
const execute = promisify(execFile);
const sayLoad = () =>
  say(
    "load of the machine",
    loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
  );

type Baselines = { python: number; pyodide: number };

async function baselines(): Promise<Baselines> {
  const python = await time(20, () => execute(PYTHON, ["-c", HELLO]));
  say("python3 -c", both(python));
  const node = ["--input-type=module", "-e", PYODIDE];
  const pyodide = await time(quick ? 1 : 3, () => execute(process.execPath, node, { cwd: PROJECT_ROOT }));
  say("Pyodide in a fresh Node process", both(pyodide));
  return { python: python.p50, pyodide: pyodide.p50 };
}

const runOnce = async (sandbox: Sandbox, code: string, timeoutMs = 20_000) => {
  const child = await sandbox.take();
  return child.runAndKill({ code, timeoutMs, memoryMb: 64, allowedImports: null });
};

/** What the next program of the same person takes, in the process of the one before. */
async function inLivingProcess(sandbox: Sandbox, program: BenchProgram, runs: number) {
  const { code, language } = program;
  const took: number[] = [];
  const processor: number[] = [];
  for (let i = 0; i <= runs; i++) {
    const child = await sandbox.take("bench");
    const pid = required(child.programPid);
    const before = processorMs(pid);
    const { output } = await child.runProgram({ code, language, timeoutMs: 20_000, memoryMb: 64 });
    sandbox.giveBack(child, "bench");
    if (!child.alive) continue;
    await child.ready;
    if (i === 0) continue;
    took.push(output.ms);
    processor.push(processorMs(pid) - before);
  }
  say(`the next ${language} program of a person`, both(toTiming(took)));
  say("its processor time, the next isolate included", both(toTiming(processor)));
  return toTiming(took).p50;
}

async function nextPrograms(sandbox: Sandbox, baseline: Baselines): Promise<Figure[]> {
  const [python, script, typed] = GOOD.map((program) => () => inLivingProcess(sandbox, program, 10));
  const node = await time(10, () => execute(process.execPath, ["-e", SCRIPT]));
  say("node -e", both(node));
  const what = (name: string) => `the next ${name} program of a person, beside`;
  return [
    {
      what: `${what("Python")} python3`,
      ours: await required(python)(),
      baseline: baseline.python,
      unit: "ms",
    },
    { what: `${what("JavaScript")} node`, ours: await required(script)(), baseline: node.p50, unit: "ms" },
    { what: `${what("TypeScript")} node`, ours: await required(typed)(), baseline: node.p50, unit: "ms" },
  ];
}

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
    await child.runAndKill({ code: HELLO, timeoutMs: 20_000, memoryMb: 64 });
    warm.push(performance.now() - started);
  }
  say("a process made ready, one after the other", both(toTiming(spawned)));
  say("processor time of a process until it is ready", both(toTiming(readyCpu)));
  say("a program in a warm process", both(toTiming(warm)));
  const ours = (await runOnce(sandbox, LOOP)).output.ms;
  const started = performance.now();
  await execute(PYTHON, ["-c", LOOP]);
  const native = performance.now() - started;
  say(
    "three million steps, ours against python3",
    `${ms(ours)} ms / ${ms(native)} ms = ${(ours / native).toFixed(1)}`,
  );
  const [ready, program] = [toTiming(spawned).p50, toTiming(warm).p50];
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

type Product = { url: string; cookie: string };

function withProduct<T>(work: (product: Product) => Promise<T>): Promise<T> {
  Object.assign(process.env, {
    ADMIN_USER_IDS: "7",
    RATE_LIMIT_CODE_RUNS_PER_MINUTE: "1000000",
    CODE_RUNS_PER_USER: "100",
    CODE_QUEUE_WAIT_SECONDS: "120",
  });
  return withDatabases((databases) =>
    withClosing(async (closing) => {
      // The files that a worker makes at its first start exist, as at every later one.
      cpSync(CACHE, join(databases.directory, "sandbox"), { recursive: true });
      const web = await startWeb(databases);
      closing(web.stop);
      const worker = await startWorker(databases);
      closing(() => endProcess(worker));
      return work({ url: web.url, cookie: (await settleIn(web.url)).cookie });
    }),
  );
}

async function post({ url, cookie }: Product, code: string): Promise<number> {
  const started = performance.now();
  const body = JSON.stringify({ code, timeout: 20 });
  const response = await fetch(`${url}/api/code/run`, { method: "POST", headers: { Cookie: cookie }, body });
  const { exit_code } = await response.json();
  if (exit_code !== 0) throw new Error(`a run answered ${response.status}, ${exit_code}`);
  return performance.now() - started;
}

async function overHttp(product: Product, baseline: Baselines): Promise<Figure[]> {
  await post(product, HELLO);
  const free: number[] = [];
  for (let i = 0; i < (quick ? 5 : 15); i++) {
    await pause(3_000);
    free.push(await post(product, HELLO));
  }
  say("over HTTP, a warm process free", both(toTiming(free)));
  const one = {
    ours: toTiming(free).p50,
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

export async function run(): Promise<Figure[]> {
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
    const inWorker = [...(await alone(sandbox, baseline)), ...(await nextPrograms(sandbox, baseline))];
    await sandbox.close();
    return await withProduct(async (product) => {
      const runs = await overHttp(product, baseline);
      return [...inWorker, ...runs, await measureStop(product), await listUnderLoad(product)];
    });
  } finally {
    await sandbox.close();
    sayLoad();
  }
}
