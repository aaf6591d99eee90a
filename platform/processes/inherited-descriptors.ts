/**
 * The process that started this one may have left files and sockets open, and every child would inherit them. Node marks what it
 * opens itself as to be closed in children; what is not marked was inherited.
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
    // This one was open only to read the list.
    return false;
  }
}
