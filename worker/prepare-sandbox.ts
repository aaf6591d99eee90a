import { canAnyoneRunCode } from "#db/accounts/people.server.ts";
import type { Db } from "#db/client.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Env } from "#platform/env/env.ts";
import type { Log } from "#platform/log.ts";
import type { Sandbox } from "#worker/sandbox/pool.ts";

/** A moment after the start, when the product is ready for its users. */
const AFTER_MS = 10 * SECOND_MS;

type SandboxPreparation = {
  env: Pick<Env, "embedded" | "codeExecutionEnabled" | "adminUserIds" | "premiumUserIds">;
  db: Db;
  log: Log;
  sandbox: Pick<Sandbox, "prepare">;
  afterMs?: number;
};

/** Prepares Python before the first program if anyone may run programs. */
export function prepareSandbox({ env, db, sandbox, log, afterMs = AFTER_MS }: SandboxPreparation): void {
  if (!env.codeExecutionEnabled) return;
  // The embedded product signs in its own administrator.
  const hasAppointed = env.embedded || env.adminUserIds.length + env.premiumUserIds.length > 0;
  const prepare = async () => {
    if (hasAppointed || (await canAnyoneRunCode(db))) await sandbox.prepare();
  };
  // If this fails, the first program prepares Python itself.
  const logFailure = (error: unknown) => log.warn("sandbox_not_ready", { error });
  setTimeout(() => void prepare().catch(logFailure), afterMs).unref();
}
