import type { Db } from "#db/client.ts";
import { DataTooNew, readDataVersion, writeDataVersion } from "#db/core/installation/data-version.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import { MIGRATIONS, type Migration, type TellProgress } from "./migrations.ts";

type MigrateOptions = { log: Log; now: Date; migrations?: readonly Migration[] };

const REPORT_EVERY_MS = 5 * SECOND_MS;

/**
 * Migrates the data to this release's version. The version is written after each migration, so that after an interruption only
 * the unfinished migration starts again.
 */
export async function migrateData(
  db: Db,
  { log, now, migrations = MIGRATIONS }: MigrateOptions,
): Promise<number> {
  const current = await readDataVersion(db);
  const last = migrations.at(-1)?.version ?? 0;
  if (current > last) throw new DataTooNew(current, last);
  const pending = migrations.filter(({ version }) => version > current);
  for (const { version, name, run } of pending) {
    const since = performance.now();
    log.info("migration_started", { version, name });
    await run(db, createProgressLog(log, name));
    await writeDataVersion(db, version, now);
    log.info("migration_done", { version, name, ms: Math.round(performance.now() - since) });
  }
  return pending.length;
}

function createProgressLog(log: Log, name: string): TellProgress {
  let reportedAt = performance.now();
  return (done, total) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    log.info("migration_progress", { name, done, total });
  };
}
