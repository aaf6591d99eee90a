/** Runs a program for a person at a terminal. Plain JavaScript without dependencies. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const POLL_MS = 100;

/** A reason to stop that a person can act on: shown without a stack. */
export class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a program in a process group of its own, so that a Ctrl-C of the terminal reaches it only through here, and the
 * first signal of each kind only: npm repeats to its child what the terminal has already told everyone.
 */
export function runProgram(command, commandArguments, { onStart, onOutput, ...options }) {
  return new Promise((resolveExit, reject) => {
    const child = spawn(command, commandArguments, { stdio: "inherit", detached: true, ...options });
    const forward = Object.fromEntries(
      ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => [signal, once(() => signalGroup(child.pid, signal))]),
    );
    for (const [signal, listener] of Object.entries(forward)) process.on(signal, listener);
    const orphanWatch = watchForNpm(forward.SIGTERM);
    for (const stream of onOutput ? [child.stdout, child.stderr] : [])
      stream.setEncoding("utf8").on("data", onOutput);
    child.once("spawn", () => onStart?.(child));
    child.once("error", (error) => reject(new Refusal(`${command} could not be started: ${error.message}`)));
    // The last output comes before "close" and may come after "exit".
    child.once(onOutput ? "close" : "exit", (code, signal) => {
      for (const [name, listener] of Object.entries(forward)) process.off(name, listener);
      clearInterval(orphanWatch);
      resolveExit(code ?? 128 + constants.signals[signal]);
    });
  });
}

/**
 * npm passes a signal to the shell between it and us, which dies of it without telling us. Who started us without npm may
 * go and leave us running.
 */
function watchForNpm(onGone) {
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return undefined;
  return setInterval(() => process.ppid !== parent && onGone(), POLL_MS).unref();
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

function once(action) {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
