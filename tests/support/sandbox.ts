/** The sandbox as the worker makes it, with a snapshot that outlives the run of the tests. */
import { join } from "node:path";
import { afterAll } from "vitest";
import { PROJECT_ROOT } from "#db/local/project-root.ts";
import { silentLog } from "#platform/log.ts";
import type { ProgramOrder, ProgramRun } from "#worker/sandbox/child-process.ts";
import { createSandbox, type Sandbox } from "#worker/sandbox/pool.ts";

export const SNAPSHOT_CACHE = join(PROJECT_ROOT, "node_modules", ".cache", "codeshelf-sandbox");

export function openTestSandbox(size = 2): Sandbox {
  const sandbox = createSandbox({
    size,
    cacheDir: SNAPSHOT_CACHE,
    without: ["limits", "user", "network"],
    log: silentLog,
  });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** One program in a process of its own. */
export async function runIn(
  sandbox: Sandbox,
  order: Partial<ProgramOrder> & { code: string },
): Promise<ProgramRun> {
  const child = await sandbox.take();
  return child.run({ timeoutMs: 10_000, memoryMb: 64, ...order });
}
