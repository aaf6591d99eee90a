/** What the worker hands its jobs, for tests of one job: a lock that is held, and nothing to send with unless given. */
import { silentLog } from "#platform/log.ts";
import { NOON, type TestStore } from "#tests/support/store.ts";
import type { Bench } from "#worker/handlers.ts";

export function benchOf({ db, clock }: Pick<TestStore, "db" | "clock">, more: Partial<Bench> = {}): Bench {
  return {
    db,
    clock,
    log: silentLog,
    workerId: "w1",
    lock: { held: true, acquiredAt: NOON, release: async () => {} },
    push: { send: null, maxAttempts: 5, close: () => {} },
    runCode: async () => ({ outcome: "withdrawn" }),
    ...more,
  };
}
