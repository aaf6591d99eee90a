import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { RunnableLanguage } from "#domain/code-runs/code-run.ts";
import { itemAt, required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import type { SandboxLayer } from "#platform/processes/sandbox-layers.ts";
import { ended, readIdentity, run } from "#tests/support/programs/running.ts";
import { itDrawn, itInFullRun } from "#tests/support/test-runs/full-run.ts";
import { temporaryDirectory } from "#tests/support/test-runs/temporary-directory.ts";
import { openTestSandbox, runIn } from "#tests/support/workers/sandbox.ts";
import { SNAPSHOT_CACHE } from "#tests/support/workers/snapshot-cache.ts";
import { SandboxChild } from "#worker/sandbox/child-process.ts";
import { frameReader, toFrame } from "#worker/sandbox/frames.ts";
import { findLayers } from "#worker/sandbox/layers.ts";
import { createSandbox, SandboxUnavailable } from "#worker/sandbox/pool.ts";
import type { ProgramOrder } from "#worker/sandbox/program-order.ts";
import { openOrMakeReadyMade } from "#worker/sandbox/ready-made.ts";

const TIMEOUT = { timeout: 120_000 };
const without = ["limits", "user", "network"] as const;
type SandboxOptions = Parameters<typeof createSandbox>[0];
const lacking =
  (...missing: SandboxLayer[]) =>
  async () => ({
    method: { name: "none", layers: [], words: () => [], filter: null },
    nextAccount: null,
    missing,
  });

function openSandbox(options: Partial<SandboxOptions>) {
  const sandbox = createSandbox({ size: 1, cacheDir: SNAPSHOT_CACHE, without, log: silentLog, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

describe("the sandbox", () => {
  it("runs each program in a process of its own and keeps none", TIMEOUT, async () => {
    const sandbox = openTestSandbox(1);
    const first = await sandbox.take();
    const second = await sandbox.take();
    expect(first.pid).not.toBe(second.pid);
    const processes = [first, second].flatMap((child) =>
      [child.pid, child.programPid].map((pid) => readIdentity(required(pid))),
    );

    const order = { code: "print(1)", timeoutMs: 20_000, memoryMb: 32 };
    const [one, two] = await Promise.all([first.runAndKill(order), second.runAndKill(order)]);

    expect([one.output.stdout, two.output.stdout]).toEqual(["1\n", "1\n"]);
    for (const process of processes) await ended(process);
    const waiting = readIdentity(required((await sandbox.take()).programPid));
    await sandbox.close();
    await ended(waiting);
  });

  it(
    "keeps a process for the same person's next program, which finds nothing of the one before",
    TIMEOUT,
    async () => {
      const sandbox = openTestSandbox(2);
      const serve = async (
        ownerId: string,
        code: string,
        language: RunnableLanguage = "python",
        given: Partial<ProgramOrder> = {},
      ) => {
        const child = await sandbox.take(ownerId);
        const run = await child.runProgram({
          ...given,
          code,
          language,
          timeoutMs: 60_000,
          memoryMb: 32,
          allowedImports: null,
        });
        const pid = child.programPid;
        sandbox.giveBack(child, ownerId);
        // The pool skips a process that is still preparing.
        await child.ready;
        return { pid, ...run };
      };
      const LEAVING = `import os, sys, builtins, random
open('/tmp/left', 'w').write('x'); open('/home/user/left', 'w').write('x')
os.environ['LEFT'] = '1'; builtins.left = 1; sys.path.append('/tmp/left'); sys.modules['left'] = sys
print(random.random(), os.urandom(8).hex())`;
      const FINDING = `import os, sys, builtins, random
print(random.random(), os.urandom(8).hex())
print(os.listdir('/tmp'), os.listdir('/home/user'), dict(os.environ), hasattr(builtins, 'left'), 'left' in sys.modules, sys.path[-1])
print(repr(sys.stdin.read()), sys.argv)`;
      const beside = { path: "beside.js", text: "exports.left = 3" };
      const inputs = { stdin: "typed", args: ["said"], files: [beside] };
      const finding =
        "let found = 'none'; try { found = require('./beside.js').left } catch {} console.log(typeof left, ({}).left, prompt(), process.argv.length, found)";

      const first = await serve("ann", LEAVING, "python", inputs);
      const script = await serve(
        "ann",
        "globalThis.left = 1; Object.prototype.left = 2; console.log(require('./beside.js').left, prompt())",
        "javascript",
        inputs,
      );
      const other = await serve("ben", finding, "javascript");
      const next = await serve("ann", finding, "javascript");
      const last = await serve("ann", FINDING);

      expect(script.output.stdout).toBe("3 typed\n");
      const nothing = "undefined undefined null 2 none\n";
      expect([other, next].map(({ output }) => output.stdout)).toEqual([nothing, nothing]);
      const anns = [first, script, next, last].map(({ pid }) => pid);
      expect(new Set(anns).size).toBeLessThan(anns.length);
      expect(anns).not.toContain(other.pid);
      const [numbers, left, typed] = last.output.stdout.split("\n");
      expect(numbers).not.toBe(first.output.stdout.trim());
      expect(left).toBe("[] ['main.py'] {'HOME': '/home/user'} False False /lib/python3.14/site-packages");
      expect(typed).toBe("'' ['main.py']");
    },
  );

  itInFullRun(
    "ends a process after twenty programs, and after one that did not end well",
    TIMEOUT,
    async () => {
      const sandbox = openTestSandbox(1);
      const serve = async (code: string, timeoutMs = 60_000, language: RunnableLanguage = "javascript") => {
        const child = await sandbox.take("ann");
        const { ending } = await child.runProgram({ code, language, timeoutMs, memoryMb: 32 });
        sandbox.giveBack(child, "ann");
        return { child, ending };
      };

      const runs = [];
      for (let n = 0; n < 20; n++) runs.push(await serve("console.log(1)"));
      const { child: worn } = itemAt(runs, 0);
      const { child: next, ending } = await serve("while (true);", 50);

      expect(new Set(runs.map(({ child }) => child))).toEqual(new Set([worn]));
      await worn.gone;
      expect(ending).toBe("timed_out");
      await next.gone;
      const { child: third } = await serve("console.log(1)");
      expect(third).not.toBe(next);
      const breaking = `let a: number = ${"(".repeat(20_000)}1${")".repeat(20_000)}`;
      expect((await serve(breaking, 60_000, "typescript")).child).toBe(third);
      await third.gone;
      expect(await serve("let a: number = 1", 60_000, "typescript")).toMatchObject({ ending: { exit: 0 } });
    },
  );

  it("stops a program whose caller goes away", TIMEOUT, async () => {
    const sandbox = openTestSandbox(1);
    const child = await sandbox.take();
    const process = readIdentity(required(child.programPid));
    const leaving = new AbortController();
    const running = child.runAndKill(
      { code: "while True: pass", timeoutMs: 60_000, memoryMb: 32 },
      leaving.signal,
    );
    leaving.abort();
    expect((await running).ending).toBe("crashed");
    await ended(process);
  });

  itInFullRun("lets its waiting processes go when no program comes", TIMEOUT, async () => {
    const sandbox = openSandbox({ idleMs: 0 });
    const child = await sandbox.take();
    child.kill();
    await child.gone;
    expect((await runIn(sandbox, { code: "print(2)", timeoutMs: 20_000 })).output.stdout).toBe("2\n");
  });

  it("refuses programs if a layer is missing that is not switched off", TIMEOUT, async () => {
    const strict = openSandbox({ without: [], layers: lacking("network", "syscalls") });
    await expect(strict.take()).rejects.toThrow(SandboxUnavailable);
    await expect(strict.take()).rejects.toThrow(/network layer.*CODE_SANDBOX_WITHOUT=network/);
  });

  it("refuses programs if a required layer is missing, and says which", TIMEOUT, async () => {
    const strict = openSandbox({ required: ["syscalls"], layers: lacking("syscalls") });
    await expect(strict.take()).rejects.toThrow(/syscalls layer.*CODE_SANDBOX_REQUIRE demands it/);
  });

  it("says at once in the log what is missing", async () => {
    const logged: unknown[] = [];
    const log = { ...silentLog, warn: (name: string, fields?: object) => logged.push([name, fields]) };
    const sandbox = openSandbox({ log, layers: lacking("files") });
    expect((await sandbox.layers()).missing).toEqual(["files"]);
    expect(logged).toEqual([["sandbox_layers_off", { method: "none", layers: ["files"] }]]);
  });

  it("finds the layers that this machine offers", async () => {
    const { missing, nextAccount } = await findLayers();
    expect(missing).not.toContain("limits");
    if (process.getuid?.() !== 0) return;
    const [first, second] = [required(nextAccount)(), required(nextAccount)()];
    expect(second.uid).not.toBe(first.uid);
    expect(first.gid).toBe(first.uid);
  });

  it("ends its processes when the worker is killed", TIMEOUT, async () => {
    const worker = run(process.execPath, [join(import.meta.dirname, "lone-worker.ts")], {
      env: { PATH: process.env.PATH, SNAPSHOT_CACHE },
    });
    const [, pid] = await worker.line(/child (\d+)/);
    const child = readIdentity(Number(pid));
    worker.child.kill("SIGKILL");
    await ended(child);
  });

  itInFullRun(
    "makes one snapshot even when two begin at once, and does without the code until it is made",
    TIMEOUT,
    async () => {
      const directory = await temporaryDirectory("snapshot");
      const ending = new AbortController();
      const manner = { background: false, signal: ending.signal, log: silentLog };
      const snapshots = await Promise.all([0, 1].map(() => openOrMakeReadyMade(directory, manner)));
      ending.abort();
      await Promise.all(snapshots.map(({ coded }) => coded));
      expect(readdirSync(directory)).toEqual([expect.stringMatching(/\.snapshot$/)]);

      const child = new SandboxChild(await findLayers(), itemAt(snapshots, 1).readyMade);
      onTestFinished(() => child.kill());
      await child.ready;
      expect(child.readyMade).toBe(false);
      const { output } = await child.runAndKill({ code: "print(3)", timeoutMs: 20_000, memoryMb: 32 });
      expect(output.stdout).toBe("3\n");
    },
  );

  itDrawn("cached code", 3)("starts with the cached code, and programs work as before", TIMEOUT, async () => {
    const sandbox = openTestSandbox(1);
    await sandbox.prepare();
    const child = await sandbox.take();
    expect(child.readyMade).toBe(true);
    const code = readFileSync(join(import.meta.dirname, "../../worker/sandbox/guest/typical.py"), "utf8");
    const { ending, output } = await child.runAndKill({ code, timeoutMs: 20_000, memoryMb: 64 });
    expect(ending).toEqual({ exit: 1 });
    expect(output.stderr.split("\n").at(-2)).toBe("ValueError: as far as it goes");
  });

  itInFullRun("does without code that is not of this machine", TIMEOUT, async () => {
    const directory = await temporaryDirectory("snapshot");
    await openTestSandbox(1).prepare();
    cpSync(SNAPSHOT_CACHE, directory, { recursive: true });
    const path = join(directory, required(readdirSync(directory).find((name) => name.endsWith(".code"))));
    const bytes = readFileSync(path);
    // A header of five lengths comes before the five parts; the last two parts are V8's.
    const lengths = [0, 1, 2, 3, 4].map((n) => bytes.readUInt32LE(4 * n));
    const findStart = (index: number) =>
      lengths.slice(0, index).reduce((offset, length) => offset + length, 20);
    for (const section of [3, 4]) bytes.fill(0xff, findStart(section), findStart(section) + 64);
    writeFileSync(path, bytes);
    const sandbox = openSandbox({ cacheDir: directory });

    const child = await sandbox.take();
    expect(child.readyMade).toBe(false);
    const { output } = await child.runAndKill({ code: "print(4)", timeoutMs: 20_000, memoryMb: 32 });
    expect(output.stdout).toBe("4\n");
  });
});

it(
  "preparing Python in the background leaves nothing unfinished when the worker stops",
  TIMEOUT,
  async () => {
    const cacheDir = await temporaryDirectory("snapshot");
    const sandbox = createSandbox({ size: 1, cacheDir, without, log: silentLog });
    const prepared = sandbox.prepare();
    await vi.waitFor(() => expect(readdirSync(cacheDir)).toHaveLength(1), { timeout: 20_000 });

    await sandbox.close();

    await prepared;
    expect(readdirSync(cacheDir)).toEqual([]);
  },
);

describe("the output of a child", () => {
  const read = (...chunks: Buffer[]) => {
    const heard: unknown[] = [];
    const take = frameReader((message) => heard.push(message));
    for (const chunk of chunks) take(chunk);
    return heard;
  };
  const frame = toFrame({ ready: true });

  it("is read completely, however it is split", () => {
    expect(
      read(frame.subarray(0, 2), frame.subarray(2, 9), Buffer.concat([frame.subarray(9), frame])),
    ).toEqual([{ ready: true }, { ready: true }]);
  });

  it.each([
    ["a message without end", Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ["no JSON", Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from("{")])],
    ["no object", Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from("1")])],
    ["too much", Buffer.alloc(2 * 1024 * 1024)],
  ])("is not believed: %s", (_, chunk) => {
    expect(() => read(chunk)).toThrow();
  });
});
