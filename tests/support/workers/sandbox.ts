import { afterAll } from "vitest";
import { silentLog } from "#platform/log.ts";
import { SNAPSHOT_CACHE } from "#tests/support/workers/snapshot-cache.ts";
import type { ProgramRun } from "#worker/sandbox/child-process.ts";
import { createSandbox, type Sandbox } from "#worker/sandbox/pool.ts";
import type { ProgramOrder } from "#worker/sandbox/program-order.ts";

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

/** Runs one program in a process of its own. */
export async function runIn(
  sandbox: Sandbox,
  order: Partial<ProgramOrder> & { code: string },
): Promise<ProgramRun> {
  const child = await sandbox.take();
  return child.runAndKill({ timeoutMs: 10_000, memoryMb: 64, ...order });
}
