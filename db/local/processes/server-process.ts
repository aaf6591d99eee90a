import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive, type ProcessIdentity, processStart } from "#platform/install/process-lock.mjs";
import { readError } from "#platform/read-error.ts";

/** Environment variables; each may be missing. */
export type Environment = Record<string, string | undefined>;

export type ServerExit = { code: number | null; signal: NodeJS.Signals | null };

/** Receives one line of a process's output, without its line break. */
export type LineLog = (line: string) => void;

export type LocalServer = { pid: number; exited: Promise<ServerExit>; stop(): Promise<void> };

/** Waits for the end of a child; one that could not be started counts as ended. */
export function awaitExit(child: ChildProcess): Promise<ServerExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => child.pid === undefined && resolve({ code: null, signal: null }));
  });
}

export function describeExit({ code, signal }: ServerExit): string {
  return signal ? `was ended by ${signal}` : code === null ? "ended" : `ended with code ${code}`;
}

/** Waits for the end of a process that is no child of this one, by polling. */
export async function awaitProcessEnd(identity: ProcessIdentity, pollMs = 100): Promise<ServerExit> {
  while (isAlive(identity)) await delay(pollMs, undefined, { ref: false });
  return { code: null, signal: null };
}

/** Sends each signal in turn and waits for the process to end, before the next, harder one. */
export async function stopProcess(
  pid: number,
  exited: Promise<ServerExit>,
  steps: readonly (readonly [NodeJS.Signals, number])[],
): Promise<void> {
  const start = processStart(pid);
  for (const [signal, waitMs] of steps) {
    if (start === null || !isAlive({ pid, start })) break;
    signalProcess(pid, signal);
    const timeout = new AbortController();
    await Promise.race([exited, delay(waitMs, undefined, { signal: timeout.signal }).catch(() => {})]);
    timeout.abort();
  }
  await exited;
}

/** Signals a process, or a group by its negative number; one that has just ended is ignored. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (readError(error).code !== "ESRCH") throw error;
  }
}

export function createLineBuffer(limit: number): { add: LineLog; text(): string } {
  const lines: string[] = [];
  return {
    add(line) {
      lines.push(line);
      if (lines.length > limit) lines.shift();
    },
    text: () => lines.join("\n"),
  };
}
