import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFailed, onTestFinished } from "vitest";

/** A fresh directory for the running test: removed when it is green, named and kept when it is red. */
export async function temporaryDirectory(name = "test"): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `codeshelf-${name}-`));
  let failed = false;
  onTestFailed(() => {
    failed = true;
    console.log(`Kept for inspection: ${directory}`);
  });
  onTestFinished(async () => {
    if (!failed) await rm(directory, { recursive: true, force: true });
  });
  return directory;
}
