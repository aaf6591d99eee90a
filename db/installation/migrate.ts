import type { Db } from "#db/client.ts";
import { SECOND_MS } from "#domain/time/durations.ts";
import type { Log } from "#platform/log.ts";
import { DataTooNew, readDataVersion, writeDataVersion } from "./data-version.ts";
import { MIGRATIONS, type Migration, type TellProgress } from "./migrations.ts";

type MigrateOptions = { log: Log; now: Date; migrations?: readonly Migration[] };

const REPORT_EVERY_MS = 5 * SECOND_MS;

/**
 * Brings the data to the version of this release. The version is written after each migration, so that what was cut off is begun
 * again and what is done is not.
 */
export async function migrateData(
  db: Db,
  { log, now, migrations = MIGRATIONS }: MigrateOptions,
): Promise<number> {
  const found = await readDataVersion(db);
  if (found > migrations.length) throw new DataTooNew(found, migrations.length);
  for (const [i, { name, run }] of migrations.entries()) {
    if (i < found) continue;
    const since = performance.now();
    log.info("migration_started", { version: i + 1, name });
    await run(db, tellSometimes(log, name));
    await writeDataVersion(db, i + 1, now);
    log.info("migration_done", { version: i + 1, name, ms: Math.round(performance.now() - since) });
  }
  return migrations.length - found;
}

function tellSometimes(log: Log, name: string): TellProgress {
  let reportedAt = performance.now();
  return (done, total) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    log.info("migration_progress", { name, done, total });
  };
}
