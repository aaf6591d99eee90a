import { readdirSync, readFileSync } from "node:fs";

/** Reads processes from /proc. One that has ended meanwhile, or a system without /proc, counts as nothing. */
function read<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

function listChildren(pid: number): number[] {
  const threads = read(() => readdirSync(`/proc/${pid}/task`), []);
  return threads.flatMap((thread) =>
    read(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"), "")
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/** A process and everything that was started below it. */
function listProcessTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listProcessTree)];
}

const KIB_PER_MB = 1024;

/** The resident memory of a process and of everything below it. */
export function readResidentMb(pid: number): number {
  const sizes = listProcessTree(pid).map((each) => {
    const status = read(() => readFileSync(`/proc/${each}/status`, "utf8"), "");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0) / KIB_PER_MB;
}

/** The last process of a chain in which each started the next: the command that the others isolate. */
export function findInnermost(pid: number): number {
  return listProcessTree(pid).at(-1) ?? pid;
}
