import type { SandboxChild } from "./child-process.ts";

/**
 * Processes that have run a program of someone and wait for that person's next one. No other person ever gets them: whoever
 * takes one names the owner, and everything is ended after a while, after a number of runs, and after a run that ended oddly.
 */
type KeptProcesses = {
  /** One that is ready; one that gets ready where its owner has as many as there may be; else null. */
  take(ownerId: string): SandboxChild | null;
  /** Keeps a process for its owner's next program, or ends it. */
  keep(ownerId: string, child: SandboxChild): void;
  clear(): void;
};

type KeptProcess = { ownerId: string; child: SandboxChild; expiry: NodeJS.Timeout };

export function createKeptProcesses(max: number): KeptProcesses {
  let kept: KeptProcess[] = [];

  function remove(process: KeptProcess): SandboxChild {
    clearTimeout(process.expiry);
    kept = kept.filter((other) => other !== process);
    return process.child;
  }

  return {
    take(ownerId) {
      const own = kept.filter((process) => process.ownerId === ownerId && process.child.alive);
      const chosen = own.find(({ child }) => child.isReady) ?? (own.length >= max ? own[0] : undefined);
      return chosen ? remove(chosen) : null;
    },
    keep(ownerId, child) {
      if (!child.mayServeAgain) return child.kill();
      if (!child.isReady) child.prepareNext();
      const expiry = setTimeout(() => remove(process).kill(), child.servesForMs);
      expiry.unref();
      const process: KeptProcess = { ownerId, child, expiry };
      kept.push(process);
      void child.gone.then(() => remove(process));
      for (const oldest of kept.slice(0, -max)) remove(oldest).kill();
    },
    clear() {
      for (const process of kept) remove(process).kill();
    },
  };
}
