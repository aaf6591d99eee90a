import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A fresh directory for the running test: removed if it passes, named and kept if it fails. */
export async function temporaryDirectory(name = "test"): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `codeshelf-${name}-`));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") console.log(`Kept for inspection: ${directory}`);
    else await rm(directory, { recursive: true, force: true });
  });
  return directory;
}

/** A fresh directory for all tests of the running file, removed after them. */
export function directoryOfFile(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), `codeshelf-${name}-`));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
