import { listAbandonedImports, setImportQueued } from "#db/library-zip/library-import-work.server.ts";
import type { WorkerServices } from "#worker/job.ts";
import { livingWorkers } from "#worker/mirror/abandoned.ts";

const TAKEN_AT_ONCE = 100;

/**
 * Lets go each import that ended with its worker and queues it again. One that is lost in between is found later as one that no
 * worker took; of two that were queued the second finds the other at work.
 */
export async function takeOverImports(services: WorkerServices): Promise<number> {
  const { db, clock, requeue } = services;
  if (!requeue) return 0;
  const abandoned = await listAbandonedImports(db, await livingWorkers(services), clock(), TAKEN_AT_ONCE);
  for (const imported of abandoned) {
    const { user_id, import_id } = imported;
    await setImportQueued(db, imported, clock());
    await requeue("library_import", "scheduled", { user_id, import_id });
  }
  return abandoned.length;
}
