/**
 * Running Python: bare `python3`, Pyodide in a fresh Node process, and the product's own way, first in the worker alone and
 * then through HTTP, queue and worker. `--soak` adds 500 mixed runs, hostile ones among them, and looks at what is left.
 */
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEngine } from "#db/local/engine.ts";
import { startPostgres } from "#db/local/postgres.ts";
import { silentLog } from "#platform/log.ts";
import { createSandbox, type Sandbox } from "#worker/sandbox/pool.ts";
import { ms, percentile, time, timingOf } from "./measure.ts";
import { logIn, startWeb, stopped } from "./product.ts";

const ROOT = join(import.meta.dirname, "..");
const CACHE = join(ROOT, "node_modules", ".cache", "codeshelf-sandbox");
// A shim in front of it would be measured too.
const PYTHON = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
const HELLO = "print(sum(range(1000)))";
const LOOP = "t = 0\nfor i in range(3_000_000): t += i * i % 7\nprint(t)";
const PYODIDE = `import { loadPyodide } from "pyodide"; (await loadPyodide()).runPython(${JSON.stringify(HELLO)})`;
const HOSTILE = [
  "while True: pass",
  "x = []\nwhile True: x.append('a' * 1_000_000)",
  "print('x' * 10_000_000)",
  "def f(): f()\nf()",
  "import sys\nsys.setrecursionlimit(10 ** 8)\ndef f(): f()\nf()",
];

const execute = promisify(execFile);
const say = (name: string, value: string) => console.log(`${name.padEnd(52)}${value}`);
const both = ({ p50, p95 }: { p50: number; p95: number }) => `p50 ${ms(p50)} ms, p95 ${ms(p95)} ms`;

async function baselines(): Promise<void> {
  say("python3 -c", both(await time(20, () => execute(PYTHON, ["-c", HELLO]))));
  const node = ["--input-type=module", "-e", PYODIDE];
  say(
    "Pyodide in a fresh Node process",
    both(await time(3, () => execute(process.execPath, node, { cwd: ROOT }))),
  );
}

const runOnce = async (sandbox: Sandbox, code: string, timeoutMs = 20_000) => {
  const child = await sandbox.take();
  return child.run({ code, timeoutMs, memoryMb: 64 });
};

function residentMb(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096) / 2 ** 20;
}

async function alone(sandbox: Sandbox): Promise<void> {
  const warm: number[] = [];
  const spawned: number[] = [];
  for (let i = 0; i < 10; i++) {
    const before = performance.now();
    const child = await sandbox.take();
    spawned.push(performance.now() - before);
    const resident = residentMb(child.pid!);
    if (i === 0) say("resident memory of a waiting process", `${resident.toFixed(0)} MB`);
    const started = performance.now();
    await child.run({ code: HELLO, timeoutMs: 20_000, memoryMb: 64 });
    warm.push(performance.now() - started);
  }
  say("a process made ready, one after the other", both(timingOf(spawned)));
  say("a program in a warm process", both(timingOf(warm)));
  const ours = (await runOnce(sandbox, LOOP)).output.ms;
  const started = performance.now();
  await execute(PYTHON, ["-c", LOOP]);
  const native = performance.now() - started;
  say(
    "three million steps, ours against python3",
    `${ms(ours)} ms / ${ms(native)} ms = ${(ours / native).toFixed(1)}`,
  );
}

interface Product {
  url: string;
  cookie: string;
  stop(): Promise<void>;
}

async function startProduct(directory: string): Promise<Product> {
  const engine = await startEngine({ directory: join(directory, "engine"), log: () => {} });
  const postgres = await startPostgres({ directory: join(directory, "postgres"), log: () => {} });
  Object.assign(process.env, {
    ADMIN_USER_IDS: "7",
    RATE_LIMIT_CODE_RUNS_PER_MINUTE: "1000000",
    CODE_RUNS_PER_USER: "100",
    CODE_QUEUE_WAIT_SECONDS: "120",
  });
  const address = { directory, mongodbUri: engine.uri, databaseUrl: postgres.url };
  const web = await startWeb(address);
  const worker = fork(join(ROOT, "worker", "index.ts"), [], {
    cwd: ROOT,
    env: {
      ...process.env,
      CODESHELF_EMBEDDED: "1",
      DATA_DIR: directory,
      MONGODB_URI: engine.uri,
      DATABASE_URL: postgres.url,
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(worker, "message");
  const stop = async () => {
    await stopped(worker);
    await web.stop();
    await engine.stop();
    await postgres.stop();
  };
  return { url: web.url, cookie: await logIn(web.url, "7"), stop };
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

async function overHttp(product: Product): Promise<void> {
  await post(product, HELLO);
  const free: number[] = [];
  for (let i = 0; i < 15; i++) {
    await pause(3_000);
    free.push(await post(product, HELLO));
  }
  say("over HTTP, a warm process free", both(timingOf(free)));
  for (const callers of [1, 2, 8]) {
    const until = performance.now() + 15_000;
    const started = performance.now();
    let runs = 0;
    const caller = async () => {
      while (performance.now() < until) {
        await post(product, HELLO);
        runs++;
      }
    };
    await Promise.all(Array.from({ length: callers }, caller));
    say(
      `over HTTP, ${callers} at once`,
      `${((1000 * runs) / (performance.now() - started)).toFixed(1)} runs/s`,
    );
  }
}

async function listUnderLoad(product: Product): Promise<void> {
  const list = async () =>
    void (await (
      await fetch(`${product.url}/files`, { headers: { Cookie: product.cookie, Accept: "text/html" } })
    ).text());
  const quiet = await time(100, list);
  let busy = true;
  const callers = Array.from({ length: 4 }, async () => {
    while (busy) await post(product, HELLO);
  });
  const loaded = await time(100, list);
  busy = false;
  await Promise.all(callers);
  say("/files, nobody runs code", both(quiet));
  say("/files, four run code without pause", both(loaded));
}

async function soak(sandbox: Sandbox): Promise<void> {
  const resident = () => process.memoryUsage().rss / 2 ** 20;
  const samples: number[] = [];
  const durations: number[] = [];
  for (let i = 0; i < 500; i += 2) {
    const pair = [i, i + 1].map((n) =>
      runOnce(sandbox, n % 5 === 0 ? HOSTILE[(n / 5) % HOSTILE.length] : HELLO, 2_000),
    );
    for (const { output } of await Promise.all(pair)) durations.push(output.ms);
    if (i % 50 === 0) samples.push(resident());
  }
  say(
    "500 runs, a fifth hostile: p50",
    `${ms(
      percentile(
        durations.sort((a, b) => a - b),
        0.5,
      ),
    )} ms`,
  );
  say("resident memory of the parent along the way", samples.map((mb) => mb.toFixed(0)).join(" "));
  await sandbox.close();
  const { stdout } = await execute("ps", ["-eo", "ppid=,args="]);
  const left = stdout
    .split("\n")
    .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes("sandbox"));
  say("processes left", String(left.length));
}

export async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "codeshelf-bench-"));
  const sandbox = createSandbox({
    size: 2,
    cacheDir: CACHE,
    without: ["limits", "user", "network"],
    log: silentLog,
  });
  say(
    "load of the machine",
    loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
  );
  try {
    await baselines();
    await alone(sandbox);
    if (process.argv.includes("--soak")) await soak(sandbox);
    await sandbox.close();
    const product = await startProduct(directory);
    try {
      await overHttp(product);
      await listUnderLoad(product);
    } finally {
      await product.stop();
    }
  } finally {
    await sandbox.close();
    rmSync(directory, { recursive: true, force: true });
  }
  say(
    "load of the machine",
    loadavg()
      .map((load) => load.toFixed(1))
      .join(" "),
  );
}
