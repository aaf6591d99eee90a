import { existsSync } from "node:fs";
import { debianProgram, installByApt } from "#tests/support/install-by-apt.ts";

/** The WebDAV conformance suite that servers are tested with. */
export function findLitmus(): string | undefined {
  const path = debianProgram("litmus");
  return existsSync(path) ? path : installByApt("litmus");
}
