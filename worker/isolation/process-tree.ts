import { readdirSync, readFileSync } from "node:fs";

/** Reads processes from /proc. A process that has ended, or a system without /proc, counts as nothing. */
function readOr<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

function listChildren(pid: number): number[] {
  const threads = readOr(() => readdirSync(`/proc/${pid}/task`), []);
  return threads.flatMap((thread) =>
    readOr(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"), "")
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
}

/** Lists a process and all its descendants. */
function listProcessTree(pid: number): number[] {
  return [pid, ...listChildren(pid).flatMap(listProcessTree)];
}

const KIB_PER_MB = 1024;

/** Returns the resident memory of a process and its descendants. */
export function readResidentMb(pid: number): number {
  const sizes = listProcessTree(pid).map((member) => {
    const status = readOr(() => readFileSync(`/proc/${member}/status`, "utf8"), "");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0) / KIB_PER_MB;
}

/** Returns the last process of a chain in which each started the next: the isolated command. */
export function findInnermostProcess(pid: number): number {
  return listProcessTree(pid).at(-1) ?? pid;
}
