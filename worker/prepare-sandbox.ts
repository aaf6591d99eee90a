import { someoneMayRunCode } from "#db/accounts/people.server.ts";
import type { Db } from "#db/client.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Env } from "#platform/env/env.ts";
import type { Log } from "#platform/log.ts";
import type { Sandbox } from "#worker/sandbox/pool.ts";

/** A moment after the start, when whoever waits for the product has it. */
const AFTER_MS = 10 * SECOND_MS;

type SandboxPreparation = {
  env: Pick<Env, "embedded" | "codeExecutionEnabled" | "adminUserIds" | "premiumUserIds">;
  db: Db;
  log: Log;
  sandbox: Pick<Sandbox, "prepare">;
  afterMs?: number;
};

/** Where somebody may run programs, Python is made ready before the first one comes. A worker that stops meanwhile forgets it. */
export function prepareSandbox({ env, db, sandbox, log, afterMs = AFTER_MS }: SandboxPreparation): void {
  if (!env.codeExecutionEnabled) return;
  // The embedded product signs in an administrator of its own.
  const appointed = env.embedded || env.adminUserIds.length + env.premiumUserIds.length > 0;
  const prepare = async () => {
    if (appointed || (await someoneMayRunCode(db))) await sandbox.prepare();
  };
  // What cannot be asked now is no loss: the first program prepares Python itself.
  const failed = (error: unknown) => log.warn("sandbox_not_ready", { error });
  setTimeout(() => void prepare().catch(failed), afterMs).unref();
}
