/**
 * The parent process may have left files and sockets open, and every child would inherit them. Node marks its own descriptors
 * to be closed in children, so an unmarked one was inherited.
 */
import { closeSync, readdirSync, readFileSync } from "node:fs";

const CLOSED_ON_EXEC = 0o2000000;
const LAST_STANDARD = 2;

/** Closes inherited descriptors; call it before anything else is opened. Only Linux lists them. */
export function closeInheritedDescriptors(): void {
  for (const descriptor of listInheritedDescriptors()) closeSync(descriptor);
}

function listInheritedDescriptors(): number[] {
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
    // This descriptor was open only to read the list.
    return false;
  }
}
