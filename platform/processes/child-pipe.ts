import type { ChildProcess } from "node:child_process";
import { Duplex } from "node:stream";

/** Returns the pipe to a child's descriptor, for reading and writing. Node's types do not know such pipes. */
export function getChildPipe(child: ChildProcess, fd: number): Duplex {
  const pipe = child.stdio[fd];
  if (!(pipe instanceof Duplex)) throw new Error(`A child has no pipe ${fd}`);
  return pipe;
}
