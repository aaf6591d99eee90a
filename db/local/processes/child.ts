/**
 * A process of the Procfile, a single command: in its own process group, so that Ctrl-C in the terminal does not reach it too early, with
 * its output line by line, and with a channel on which it reports `{ ready: true, url, signInUrl }` and notices the launcher's death.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { required } from "#domain/required.ts";
import { childEnvironment } from "#platform/processes/child-environment.ts";
import { WAIT_VARIABLE } from "#platform/processes/start-message.ts";
import {
  awaitExit,
  createLineBuffer,
  type Environment,
  type LineLog,
  type LocalServer,
  type ServerExit,
  signalProcess,
  stopProcess,
} from "./server-process.ts";

export type Child = LocalServer & { lastWords(): string };

export type ChildOptions = {
  command: string;
  cwd: string;
  env: Environment;
  log: LineLog;
  onReady?: (url: string, signInUrl: string) => void;
  /** For a process that starts before its databases: the variables with their addresses, when they are ready. */
  start?: Promise<Environment>;
  /** The time to end after a request, before it is killed. */
  graceMs?: number;
};

const GRACE_MS = 12_000;
const KILLED_MS = 5_000;
const LAST_OUTPUT_MS = 1_000;

export function startChild(options: ChildOptions): Child {
  const { command, cwd, env, log, onReady, start, graceMs = GRACE_MS } = options;
  // `exec` replaces the shell by the command, so that the command gets the signals.
  const child = spawn("/bin/sh", ["-c", `exec ${command}`], {
    cwd,
    env: childEnvironment(start ? { ...env, [WAIT_VARIABLE]: "1" } : env),
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const lastLines = createLineBuffer(10);
  for (const output of [child.stdout, child.stderr]) {
    if (!output) continue;
    createInterface({ input: output }).on("line", (text) => {
      lastLines.add(text);
      log(text);
    });
  }
  child.on("message", (message: { ready?: unknown; url?: unknown; signInUrl?: unknown } | null) => {
    if (message?.ready === true) onReady?.(String(message.url ?? ""), String(message.signInUrl ?? ""));
  });
  const sendAddresses = (addresses: Environment) => {
    if (child.connected) child.send({ start: addresses });
  };
  start?.then(sendAddresses, () => {});
  const exited = awaitExitAndKillGroup(child);
  const pid = required(child.pid, `process of ${command}`);
  return {
    pid,
    exited,
    lastWords: () => lastLines.text(),
    stop: () =>
      stopProcess(pid, exited, [
        ["SIGTERM", graceMs],
        ["SIGKILL", KILLED_MS],
      ]),
  };
}

/** Kills the remaining processes of the group and waits for the last output. */
async function awaitExitAndKillGroup(child: ChildProcess): Promise<ServerExit> {
  const closed = new Promise((resolve) => child.once("close", resolve));
  const exit = await awaitExit(child);
  if (child.pid !== undefined) signalProcess(-child.pid, "SIGKILL");
  await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
  return exit;
}
