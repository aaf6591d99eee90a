/**
 * Whoever started this process may have left files and sockets open in it, and each would be passed on to every process that is
 * started here. What Node opens itself is marked to be closed then; what is not marked was inherited.
 */
import { closeSync, readdirSync, readFileSync } from "node:fs";

const CLOSED_ON_EXEC = 0o2000000;
const LAST_STANDARD = 2;

/** Closes them; to be called before anything else is opened. Only Linux tells which they are. */
export function closeInheritedDescriptors(): void {
  for (const descriptor of listInherited()) closeSync(descriptor);
}

function listInherited(): number[] {
  try {
    const descriptors = readdirSync("/proc/self/fdinfo").map(Number);
    return descriptors.filter((descriptor) => descriptor > LAST_STANDARD && isInherited(descriptor));
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const [, flags] =
      /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
  } catch {
    // It was the one by which the list was read.
    return false;
  }
}
