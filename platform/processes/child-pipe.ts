import type { ChildProcess } from "node:child_process";
import { Duplex } from "node:stream";

/** The pipe to a number of a child, which can be read and written. The types of Node say so of none of them. */
export function pipeTo(child: ChildProcess, fd: number): Duplex {
  const pipe = child.stdio[fd];
  if (!(pipe instanceof Duplex)) throw new Error(`A child has no pipe ${fd}`);
  return pipe;
}
