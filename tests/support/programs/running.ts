/** Real processes for tests: started, read line by line, and always stopped. */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished, vi } from "vitest";
import type { Environment } from "#db/local/processes/server-process.ts";
import { required } from "#domain/required.ts";
import { isAlive, type ProcessIdentity, processStart } from "#platform/install/process-lock.mjs";

export type Running = {
  pid: number;
  child: ChildProcess;
  /** Its output so far, both streams in the order of arrival. */
  lines: string[];
  /** The first line that matches, past or future; rejects if the process ends without one. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

type RunOptions = { cwd?: string; env?: Environment; detached?: boolean; uid?: number; gid?: number };

/** Compiling takes half of a start, so every process uses the compile cache. */
function withCompileCache(env: Environment): Environment {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE, ...env } : env;
}

export function run(command: string, commandArguments: string[], options: RunOptions = {}): Running {
  const child = spawn(command, commandArguments, {
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
    env: (options.env && withCompileCache(options.env)) as NodeJS.ProcessEnv,
  });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  let ended = false;
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: required(output) }).on("line", (text) => {
      lines.push(text);
      notify();
    });
  }
  const exit = new Promise<Awaited<Running["exit"]>>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      ended = true;
      resolve({ code, signal });
      notify();
    });
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await gone;
  });

  const line = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = lines.map((text) => pattern.exec(text)).find((match) => match !== null);
        if (!match && !ended) return;
        listeners.delete(look);
        if (match) resolve(match);
        else reject(new Error(`It ended without a line like ${pattern}:\n${lines.join("\n")}`));
      };
      listeners.add(look);
      look();
    });
  return { pid: required(child.pid), child, lines, line, exit };
}

export function readIdentity(pid: number): ProcessIdentity {
  const start = processStart(pid);
  if (start === null) throw new Error(`There is no process ${pid}.`);
  return { pid, start };
}

/** Resolves when the process, which may be another program's child, has ended. */
export async function ended(process: ProcessIdentity, timeoutMs = 20_000): Promise<void> {
  const check = () => {
    if (isAlive(process)) throw new Error(`Process ${process.pid} is still alive.`);
  };
  await vi.waitFor(check, { timeout: timeoutMs, interval: 20 });
}
