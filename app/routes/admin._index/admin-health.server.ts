import type { WebServices } from "#app/web/request-context.ts";
import { countUnattendedAlerts } from "#db/alerts/alert-life.server.ts";
import { listBackups } from "#db/backups/backup-files.server.ts";
import { countRuns } from "#db/jobs/job-run-lists.server.ts";
import { listWorkers } from "#db/jobs/workers.server.ts";
import { listIndexRows } from "#db/open/indexes/index-report.server.ts";
import { isSilent } from "#domain/jobs/worker-silence.ts";
import { writeTimestamps } from "#domain/time/timestamp.ts";

const FAILED_COUNTED_MAX = 1_000;

export type AdminHealth = Awaited<ReturnType<typeof checkHealth>>;

/** Reads the health of each part of the product. A part that does not answer is null and does not fail the others. */
export async function checkHealth({ db, queue, clock, env }: WebServices) {
  const now = clock();
  const [workers, backlog, indexes, alerts, failedRuns, backups] = await Promise.all([
    listWorkers(db).catch(() => null),
    queue.backlog().catch(() => null),
    listIndexRows(db),
    countUnattendedAlerts(db, now).catch(() => null),
    countRuns(db, { status: "failed", unretried: true, dismissed: false, limit: FAILED_COUNTED_MAX }).catch(
      () => null,
    ),
    env.backups ? listBackups(env.backups.directory).catch(() => null) : [],
  ]);
  const states = indexes.flatMap((row) => row.indexes.map(({ state }) => state));
  return {
    alerts,
    failed: failedRuns,
    workers:
      workers?.map((worker) => ({
        ...writeTimestamps(worker),
        alive: !isSilent(worker.heartbeat_at, now),
      })) ?? null,
    backlog: backlog?.map((row) => writeTimestamps(row)) ?? null,
    backups: {
      enabled: env.backups !== null,
      files: backups?.map((file) => writeTimestamps(file)) ?? null,
    },
    indexes: states.includes("unchecked") ? null : states.filter((state) => state !== "present").length,
  };
}
