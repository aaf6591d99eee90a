/** litmus, the conformance suite of WebDAV. Root installs it before the tests if it is missing; without it its test is skipped. */
import { existsSync } from "node:fs";
import { debianProgram, installByApt } from "#tests/support/programs/install-by-apt.ts";

export function findLitmus(install: () => string | undefined = () => undefined): string | undefined {
  const path = debianProgram("litmus");
  return existsSync(path) ? path : install();
}

export const installLitmus = (): string | undefined => findLitmus(() => installByApt("litmus"));
