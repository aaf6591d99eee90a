/** Programs of Debian for tests of isolation, installed if possible. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { installByApt } from "./install-by-apt.ts";

const ensure = (path: string, ...packages: string[]) =>
  existsSync(path) || (packages.every(installByApt) && existsSync(path));

export const ensureBubblewrap = () => ensure("/usr/bin/bwrap", "bubblewrap");

/** Compiles a C file without libraries; null without a compiler. The program is removed after the file's tests. */
export function compileProbe(source: string): string | null {
  if (!ensure("/usr/bin/gcc", "libc6-dev", "gcc")) return null;
  const program = join(directoryOfFile("probe"), "probe");
  execFileSync("/usr/bin/gcc", ["-static", "-O1", "-pthread", "-o", program, source]);
  return program;
}
