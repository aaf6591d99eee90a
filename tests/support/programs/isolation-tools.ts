/** Programs of Debian that tests of isolation use; installed where that is possible. */

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { directoryOfFile } from "#tests/support/test-runs/temporary-directory.ts";
import { installByApt } from "./install-by-apt.ts";

const ensure = (path: string, ...packages: string[]) =>
  existsSync(path) || (packages.every(installByApt) && existsSync(path));

export const ensureBubblewrap = () => ensure("/usr/bin/bwrap", "bubblewrap");

/** The program of a C file, without libraries, or null where there is no compiler. It is gone after the tests of the file. */
export function compileProbe(source: string): string | null {
  if (!ensure("/usr/bin/gcc", "libc6-dev", "gcc")) return null;
  const program = join(directoryOfFile("probe"), "probe");
  execFileSync("/usr/bin/gcc", ["-static", "-O1", "-pthread", "-o", program, source]);
  return program;
}
