import { listAbandonedImports, requeueImport } from "#db/library-zip/library-import-work.server.ts";
import type { WorkerServices } from "#worker/job.ts";
import { listLivingWorkerIds } from "#worker/mirror/abandoned.ts";

const IMPORTS_MAX = 100;

/**
 * Releases each import whose worker stopped and queues it again. If this worker stops in between, the import is found again
 * later as one without a worker. If an import is queued twice, the second run finds it claimed.
 */
export async function requeueAbandonedImports(services: WorkerServices): Promise<number> {
  const { db, clock, requeue } = services;
  if (!requeue) return 0;
  const abandoned = await listAbandonedImports(db, await listLivingWorkerIds(services), clock(), IMPORTS_MAX);
  for (const imported of abandoned) {
    const { user_id, import_id } = imported;
    await requeueImport(db, imported, clock());
    await requeue("library_import", "scheduled", { user_id, import_id });
  }
  return abandoned.length;
}
