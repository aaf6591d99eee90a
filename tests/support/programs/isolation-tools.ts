/** Programs of Debian that tests of isolation use; installed where that is possible. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { installByApt } from "./install-by-apt.ts";

const ensure = (path: string, ...packages: string[]) =>
  existsSync(path) || (packages.every(installByApt) && existsSync(path));

export const ensureBubblewrap = () => ensure("/usr/bin/bwrap", "bubblewrap");

/** The program of a C file, without libraries, or null where there is no compiler. It is gone after the tests of the file. */
export function compileProbe(source: string): string | null {
  if (!ensure("/usr/bin/gcc", "libc6-dev", "gcc")) return null;
  const directory = mkdtempSync(join(tmpdir(), "codeshelf-probe-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const program = join(directory, "probe");
  execFileSync("/usr/bin/gcc", ["-static", "-O1", "-pthread", "-o", program, source]);
  return program;
}
