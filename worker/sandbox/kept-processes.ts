import type { SandboxChild } from "./child-process.ts";

/**
 * Processes that have run a program and wait for the same person's next one. No other person gets them, and they end after a
 * time, after a number of runs, and after a run that ended abnormally.
 */
type KeptProcesses = {
  /** Returns a ready process, or one that is getting ready if its owner has the maximum, otherwise null. */
  take(ownerId: string): SandboxChild | null;
  /** Keeps a process for its owner's next program, or ends it. */
  keep(ownerId: string, child: SandboxChild): void;
  clear(): void;
};

type KeptProcess = { ownerId: string; child: SandboxChild; expiry: NodeJS.Timeout };

export function createKeptProcesses(max: number): KeptProcesses {
  let processes: KeptProcess[] = [];

  function remove(process: KeptProcess): SandboxChild {
    clearTimeout(process.expiry);
    processes = processes.filter((other) => other !== process);
    return process.child;
  }

  return {
    take(ownerId) {
      const own = processes.filter((process) => process.ownerId === ownerId && process.child.alive);
      const chosen = own.find(({ child }) => child.isReady) ?? (own.length >= max ? own[0] : undefined);
      return chosen ? remove(chosen) : null;
    },
    keep(ownerId, child) {
      if (!child.mayServeAgain) return child.kill();
      if (!child.isReady) child.prepareNext();
      const expiry = setTimeout(() => remove(process).kill(), child.servesForMs);
      expiry.unref();
      const process: KeptProcess = { ownerId, child, expiry };
      processes.push(process);
      void child.gone.then(() => remove(process));
      for (const oldest of processes.slice(0, -max)) remove(oldest).kill();
    },
    clear() {
      for (const process of processes) remove(process).kill();
    },
  };
}
