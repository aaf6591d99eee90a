import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { CODE_LIMITS, decodeOutput, type Ending, type RunOutput } from "#domain/code-runs/code-run.ts";
import { MINUTE_MS } from "#domain/time/durations.ts";
import { getChildPipe } from "#platform/processes/child-pipe.ts";
import { readError } from "#platform/read-error.ts";
import { sendFilter } from "#worker/isolation/methods.ts";
import { findInnermostProcess } from "#worker/isolation/process-tree.ts";
import { frameReader, toFrame } from "./frames.ts";
import { FILTER_FD, type Layers, wrapProgram } from "./layers.ts";
import { lowerPriority, lowerSessionPriority } from "./priority.ts";
import { childCommand, NO_ENVIRONMENT, type ReadyMade } from "./program.ts";
import { type ProgramOrder, toOrderMessage } from "./program-order.ts";
import { type OutputListener, watchProgram } from "./program-watch.ts";

export type ProgramRun = { ending: Ending; output: RunOutput };

const READY_TIMEOUT_MS = MINUTE_MS;
/** After this many programs, or this long after the first, a process takes no more. */
const RUNS_MAX = 20;
const SERVES_FOR_MS = MINUTE_MS;

/**
 * A disposable process: it loads, runs programs of one person, each in its own isolate, and is killed. The parent enforces
 * time, memory and output limits itself and trusts nothing that the child reports.
 */
export class SandboxChild {
  ready: Promise<void>;
  /** True if a program can start at once. */
  isReady = false;
  readonly gone: Promise<unknown>;
  /** True if it used the ready-made code; known when it is ready. */
  readyMade = false;
  readonly #process: ChildProcess;
  #runs = 0;
  #firstRunAt = 0;
  #endedWell = true;
  #read: (chunk: Buffer) => void;
  #receive: (message: Record<string, unknown>) => void = () => {};
  #broken: () => void = () => {};

  constructor(layers: Layers, { snapshot, code }: ReadyMade) {
    const { filter, lowersPriority = false, givesUpRootLate = false } = layers.method;
    const account = layers.nextAccount?.() ?? null;
    const [command, words] = childCommand(wrapProgram(layers, account), {
      make: null,
      account: givesUpRootLate ? account : null,
    });
    this.#process = spawn(command, words, {
      stdio: [
        "pipe",
        "ignore",
        "ignore",
        "pipe",
        snapshot,
        code ?? "ignore",
        ...(filter ? ["pipe" as const] : []),
      ],
      env: NO_ENVIRONMENT,
      cwd: "/",
      detached: true,
    });
    sendFilter(this.#process, FILTER_FD, filter);
    this.gone = once(this.#process, "close").catch(() => {});
    this.ready = this.#awaitReady();
    // Without a listener an error would end the worker; the exit event reports it to those who wait.
    this.#process.on("error", () => {});
    if (!lowersPriority) lowerPriority(this.#process.pid);
    lowerSessionPriority(this.#process.pid);
    getChildPipe(this.#process, 0).on("error", () => this.kill());
    this.#read = frameReader((message) => this.#receive(message));
    getChildPipe(this.#process, 3).on("data", (chunk: Buffer) => {
      try {
        this.#read(chunk);
      } catch {
        this.#broken();
        this.kill();
      }
    });
  }

  /** The first process of its group; the program may be a descendant. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The process with the interpreter, known when it is ready. */
  get programPid(): number | undefined {
    return this.pid === undefined ? undefined : findInnermostProcess(this.pid);
  }

  get alive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null && this.pid !== undefined;
  }

  /** A failure is reported to those who wait; without anyone waiting it is no unhandled rejection. */
  #awaitReady(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string) => {
      clearTimeout(timer);
      this.kill();
      reject(new Error(`A sandbox process ${why}`));
    };
    const timer = setTimeout(() => fail("did not become ready in time"), READY_TIMEOUT_MS);
    const onError = (error: Error) => fail(`could not be started: ${error.message}`);
    const onExit = (code: number | null, signal: string | null) =>
      fail(`ended before it was ready (${code ?? signal})`);
    this.#process.once("error", onError).once("exit", onExit);
    this.#receive = ({ ready, readyMade }) => {
      if (ready !== true) return;
      this.readyMade = readyMade === true;
      this.isReady = true;
      clearTimeout(timer);
      this.#process.off("exit", onExit).off("error", onError);
      resolve();
    };
    promise.catch(() => {});
    return promise;
  }

  /** The remaining time in which it may run programs of its person. */
  get servesForMs(): number {
    return Math.max(0, this.#firstRunAt + SERVES_FOR_MS - performance.now());
  }

  /** True if it may run another program of the same person, because all earlier ones ended normally. */
  get mayServeAgain(): boolean {
    return this.alive && this.#endedWell && this.#runs > 0 && this.#runs < RUNS_MAX && this.servesForMs > 0;
  }

  /** Discards the isolate of the last program and makes a new one; `ready` resolves after that. */
  prepareNext(): void {
    this.ready = this.#awaitReady();
    getChildPipe(this.#process, 0).write(toFrame({ again: true }));
  }

  /** Runs a program and kills the process. An abort kills it at once. */
  async runAndKill(
    order: ProgramOrder,
    signal?: AbortSignal,
    onOutput?: OutputListener,
  ): Promise<ProgramRun> {
    try {
      return await this.runProgram(order, signal, onOutput);
    } finally {
      this.kill();
    }
  }

  /** Runs a program of the process's person. Only a program that ended by itself leaves the process alive. */
  async runProgram(
    order: ProgramOrder,
    signal?: AbortSignal,
    onOutput?: OutputListener,
  ): Promise<ProgramRun> {
    // Without root, this may be set only once in a tenth of a second for all processes, so it may have failed at the start.
    lowerSessionPriority(this.pid);
    const outputs: [Buffer[], Buffer[]] = [[], []];
    const startedAt = performance.now();
    this.isReady = false;
    this.#runs += 1;
    this.#firstRunAt ||= startedAt;
    this.#read = frameReader((message) => this.#receive(message));
    const watch = watchProgram(
      this.#process,
      order,
      (output, bytes) => {
        const fitting = appendFitting(outputs[output], bytes);
        if (fitting.length > 0) onOutput?.(output, fitting);
      },
      signal,
    );
    this.#receive = watch.receive;
    this.#broken = watch.fail;
    if (signal?.aborted || !this.alive) watch.fail();
    else getChildPipe(this.#process, 0).write(toFrame(toOrderMessage(order)));
    const { ending, truncated, grownBytes, written, isLast } = await watch.ended;
    const ms = performance.now() - startedAt;
    this.#endedWell &&= typeof ending === "object" && signal?.aborted !== true && !isLast;
    if (!this.#endedWell) this.kill();
    const [stdout, stderr] = outputs;
    const read = (chunks: Buffer[]) => readOutput(chunks, truncated);
    const output = { stdout: read(stdout), stderr: read(stderr), truncated, ms, grownBytes, written };
    return { ending, output };
  }

  /** Kills the whole process group. The end of its first process also ends everything isolated below it, in any group. */
  kill(): void {
    // After its end, its number may belong to another process.
    if (this.pid === undefined || !this.alive) return;
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch (error) {
      if (readError(error).code !== "ESRCH") throw error;
    }
  }
}

/** Keeps the part that fits and returns it. */
function appendFitting(chunks: Buffer[], bytes: Buffer): Buffer {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const fitting = bytes.subarray(0, CODE_LIMITS.max_output_bytes - length);
  chunks.push(fitting);
  return fitting;
}

const readOutput = (chunks: Buffer[], truncated: boolean) => decodeOutput(Buffer.concat(chunks), truncated);
