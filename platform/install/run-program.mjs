/** Runs a program for a person at a terminal. Plain JavaScript without dependencies. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

const POLL_MS = 100;

/** A failure that a person can fix, shown without a stack. */
export class Refusal extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Runs a program in its own process group, so that Ctrl-C reaches it only through this function and only the first signal of
 * each kind is passed on. npm repeats signals that the terminal has already sent to everyone.
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
    // The last output arrives before "close" but maybe after "exit".
    child.once(onOutput ? "close" : "exit", (code, signal) => {
      for (const [name, listener] of Object.entries(forward)) process.off(name, listener);
      clearInterval(orphanWatch);
      resolveExit(code ?? 128 + constants.signals[signal]);
    });
  });
}

/**
 * npm passes a signal only to the shell between it and us, and the shell dies without passing it on. Without npm, our parent
 * may exit and leave us running.
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
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
