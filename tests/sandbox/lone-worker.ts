/** A worker with a sandbox only, for a test that kills it. */
import { required } from "#domain/required.ts";
import { silentLog } from "#platform/log.ts";
import { createSandbox } from "#worker/sandbox/pool.ts";

const sandbox = createSandbox({
  size: 1,
  cacheDir: required(process.env.SNAPSHOT_CACHE),
  without: ["limits", "user", "network"],
  log: silentLog,
});
const child = await sandbox.take();
console.log(`child ${child.programPid}`);
void child.runAndKill({ code: "while True: pass", timeoutMs: 600_000, memoryMb: 32 });
