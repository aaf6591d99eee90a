import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { signalProcess } from "#db/local/processes/server-process.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import { isAlive, type ProcessIdentity, takeLock } from "#platform/install/process-lock.mjs";
import { readError } from "#platform/read-error.ts";
import { MoveError } from "./move-error.ts";

type MoveLock = { release(): void };

/** The time to write the current batch before the other command checks for a stop. */
const STOP_WAIT_MS = 30 * SECOND_MS;
const POLL_MS = 100;

const tryLock = (dataDir: string) => takeLock(join(dataDir, "move-lock"));

/** Allows one command at a time to move the library of a data directory. */
export function takeMoveLock(dataDir: string): MoveLock {
  const lock = tryLock(dataDir);
  if (lock.owner) throw new MoveError(`Process ${lock.owner.pid} is moving this library already.`);
  return lock;
}

/** Stops the command that holds the lock, if there is one, and takes the lock. */
export async function takeOverMoveLock(dataDir: string, say: (line: string) => void): Promise<MoveLock> {
  const lock = tryLock(dataDir);
  if (!lock.owner) return lock;
  say(`Process ${lock.owner.pid} is moving this library: stopping it.`);
  await stopMover(lock.owner);
  return takeMoveLock(dataDir);
}

async function stopMover(mover: ProcessIdentity): Promise<void> {
  try {
    if (isAlive(mover)) signalProcess(mover.pid, "SIGTERM");
  } catch (error) {
    throw new MoveError(`Process ${mover.pid} cannot be stopped from here: ${readError(error).message}.`);
  }
  const until = performance.now() + STOP_WAIT_MS;
  while (isAlive(mover)) {
    if (performance.now() > until)
      throw new MoveError(`Process ${mover.pid} has not stopped yet: run this again.`);
    await wait(POLL_MS);
  }
}

/** Ctrl-C or SIGTERM ends the move in order, so that writing continues at once. Signals may arrive twice: from a terminal and from npm. */
export function listenForStop(): AbortSignal {
  const stop = new AbortController();
  const reason = new MoveError("Stopped. The old place stays in use. Run it again, and it goes on.");
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort(reason));
  return stop.signal;
}
