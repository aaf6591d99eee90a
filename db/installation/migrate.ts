import type { Db } from "#db/client.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import { DataTooNew, readDataVersion, writeDataVersion } from "./data-version.ts";
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
  const version = await readDataVersion(db);
  if (version > migrations.length) throw new DataTooNew(version, migrations.length);
  for (const [i, { name, run }] of migrations.entries()) {
    if (i < version) continue;
    const since = performance.now();
    log.info("migration_started", { version: i + 1, name });
    await run(db, createProgressLog(log, name));
    await writeDataVersion(db, i + 1, now);
    log.info("migration_done", { version: i + 1, name, ms: Math.round(performance.now() - since) });
  }
  return migrations.length - version;
}

function createProgressLog(log: Log, name: string): TellProgress {
  let reportedAt = performance.now();
  return (done, total) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    log.info("migration_progress", { name, done, total });
  };
}
