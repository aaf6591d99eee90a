/** The services of the worker's jobs, for tests of one job: a held lock, and nothing to send with by default. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "#platform/log.ts";
import { dataKeys } from "#tests/support/accounts/data-keys.ts";
import { NOON, type TestStore } from "#tests/support/store.ts";
import type { WorkerServices } from "#worker/job.ts";
import { IMPORT_LIMITS } from "#worker/library-import/config.ts";

const NO_MIRRORS: WorkerServices["mirror"] = {
  root: "/nonexistent",
  allowLocal: false,
  dataKeys,
  everyMinutes: 60,
  timeoutMs: 60_000,
  maxBytes: 100_000_000,
  maxFiles: 20_000,
  maxBytesPerPerson: 1_000_000_000,
};

export function createTestServices(
  { db, clock }: Pick<TestStore, "db"> & { clock: () => Date },
  more: Partial<WorkerServices> = {},
): WorkerServices {
  return {
    db,
    clock,
    log: silentLog,
    workerId: "w1",
    lock: { held: true, acquiredAt: NOON, release: async () => {} },
    push: { send: null, maxAttempts: 5, close: () => {} },
    runCode: async () => ({ outcome: "withdrawn" }),
    mirror: NO_MIRRORS,
    backups: null,
    imports: {
      directory: join(tmpdir(), "codeshelf-imports"),
      quota: { maxPerUser: 1_000 },
      ...IMPORT_LIMITS,
    },
    ...more,
  };
}
